#!/usr/bin/env python3
"""Ids of awkward texts by SentencePiece itself and by the published tokenizer.json: writes ../spm/ids.json.

    python sentencepiece_ids.py        # needs ../spm, ../models; the packages sentencepiece and tokenizers

For each SentencePiece file: the checkpoint whose tokenizer.json goes with it, and for each text `published` (with special
tokens) and `pieces`, what SentencePiece gives (its own ids, without special tokens).  `same` says whether the two cut the
text alike, `same_in_nfc` whether they cut its NFC form alike.  They differ where the `Precompiled` normaliser of `tokenizers` and SentencePiece read the same table otherwise
(combining marks), where ALBERT's tokenizer lower-cases first, and where text spells a special token.

Made with sentencepiece 0.2.3, tokenizers 0.23.3.
"""

import json
import pathlib
import unicodedata

import sentencepiece
from tokenizers import Tokenizer

GOLDEN = pathlib.Path(__file__).resolve().parent.parent
MODELS = [("xlmr", "xlm-roberta"), ("albert", "albert"), ("t5", "t5"), ("mt5", "mt5"), ("llama2", "mistral"), ("gemma", "gemma2")]
TEXTS = [
    "\u1112\u1161\u11ab\u1100\u1173\u11af", "a\u0306\u0301", "\u0103\u0301", "\u00aa\u0300", "zme\u0328czona", "e\u0301te\u0301",
    "ﬁ ｆｕｌｌ № Ⅳ ½", "a\u00a0b\u2003c\u3000d", "a\tb\nc\r\nd", "  two  spaces  ", " one", "", " ", "🙂🙂 x 🙂", "\u200bzero\u200dwidth",
    "<mask> a <mask>", "a<mask>b", "[MASK] a", "a [MASK].", "x <extra_id_0> y <extra_id_99>.", "x<extra_id_0>y", "</s> <pad> <unk>",
    "``quoted'' 9, 10, 1,000", "ŻÓŁĆ İstanbul ıssız ẞ", "他说<extra_id_0>累了", "▁under▁score", "\u0915\u094d\u0937 \u0e01\u0e33 \u0644\u0627",
]


def nfc(text):
    return unicodedata.normalize("NFC", text)


def main():
    out = {}
    for name, base in MODELS:
        spm = sentencepiece.SentencePieceProcessor(model_file=str(GOLDEN / "spm" / f"{name}.model"))
        published = Tokenizer.from_file(str(GOLDEN / "models" / base / "tokenizer.json"))
        rows = []
        for text in TEXTS:
            bare = published.encode(text, add_special_tokens=False)
            pieces = spm.encode(text, out_type=str)
            rows.append({
                "text": text,
                "published": published.encode(text).ids,
                "pieces": spm.encode(text),
                "same": bare.tokens == pieces,
                "same_in_nfc": published.encode(nfc(text), add_special_tokens=False).tokens == spm.encode(nfc(text), out_type=str),
            })
        out[name] = {"base": base, "texts": rows}
        print(name, "differ:", [row["text"] for row in rows if not row["same"]])
    (GOLDEN / "spm" / "ids.json").write_text(json.dumps(out, ensure_ascii=True, indent=0) + "\n")


if __name__ == "__main__":
    main()
