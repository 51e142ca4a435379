#!/usr/bin/env python3
"""Small SentencePiece models in the ways that no tokenizer here is trained: writes ../spm/trained-*.model and trained.json.

    python sentencepiece_trained.py     # needs the package sentencepiece and the built-in set

Trained on the sentences of the built-in set, in all its languages. The ids are what SentencePiece itself gives, without
special tokens: texts here are in NFC, and plain where the `Precompiled` normaliser of `tokenizers` is known to differ.

Made with sentencepiece 0.2.3.
"""

import csv
import io
import json
import pathlib

import sentencepiece

GOLDEN = pathlib.Path(__file__).resolve().parent.parent
SET = GOLDEN.parent / "crates" / "data" / "sets" / "mini"
# As some multilingual causal models have it: a table, all spaces kept, digits apart, bytes for the unknown.
SPACES_KEPT = dict(normalization_rule_name="nfkc", remove_extra_whitespaces=False, split_digits=True, byte_fallback=True)
KINDS = {
    "bpe-table": dict(model_type="bpe", **SPACES_KEPT),
    "bpe-nmt": dict(model_type="bpe", normalization_rule_name="nmt_nfkc", byte_fallback=True),
    "unigram-spaces": dict(model_type="unigram", **SPACES_KEPT),
    "unigram-bare": dict(model_type="unigram", normalization_rule_name="identity", add_dummy_prefix=False),
}
TEXTS = [
    "I have always led.", "Ho sempre amato la fisica.", "Я всегда любила тишину.", "Πάντα ήμουν ευγενικός.", " one", "  two  spaces  ",
    "a\tb\nc", "12 345,6", "zmęczona — zmęczony", "Łódź", "ﬁ ｆｕｌｌ № Ⅳ ½", "🙂🙂 x", "", " ", "他说累了", "x\u00a0y", "▁under",
    "“I am tired,” she said.", "„Jestem zmęczona” – powiedziała.",
]


def sentences() -> list[str]:
    rows = (row for path in sorted(SET.glob("items.*.csv")) for row in csv.DictReader(path.open(encoding="utf-8", newline="")))
    return [row[kind] for row in rows for kind in ("neutral", "masculine", "feminine") if row[kind]]


def main() -> None:
    out = {}
    for name, options in KINDS.items():
        # From memory and into memory: a file would hold the names of the folders it was made in.
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(sentences()), model_writer=model, vocab_size=900, character_coverage=0.98,
            minloglevel=2, num_threads=1, hard_vocab_limit=False, **options,
        )
        (GOLDEN / "spm" / f"trained-{name}.model").write_bytes(model.getvalue())
        spm = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
        out[name] = [{"text": text, "pieces": spm.encode(text)} for text in TEXTS]
    (GOLDEN / "spm" / "trained.json").write_text(json.dumps(out, ensure_ascii=True, indent=0) + "\n")


if __name__ == "__main__":
    main()
