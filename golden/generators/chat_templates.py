#!/usr/bin/env python3
"""Texts inside chat templates: what `apply_chat_template` of transformers makes of them, and the float64 log-probabilities
of the whole rendered string.  Writes ../chat/<name>.json.

    python chat_templates.py        # needs ../models and ../expected; the packages of make_goldens.py

The templates were written for this file, each with the habits of a family: what it prints first, how it names the roles,
where it strips, whether it raises.  `text_from` and `text_to` are the first token of the text and one past its last,
found by transformers' `token_to_chars`.  `reason` says why a text has none: the template alters it, or one of its tokens
holds words of the template too.  `strftime_now` says 26 July 2024, as Stereometer's does.

Made with Python 3.11, torch 2.15.0, transformers 5.24.0.
"""

import datetime
import json
import pathlib

from transformers import AutoTokenizer
from transformers.utils import chat_template_utils

import make_goldens

GOLDEN = pathlib.Path(__file__).resolve().parent.parent
N_TEXTS = 8

CHATML = """{%- if messages[0]['role'] == 'system' %}
    {{- '<|im_start|>system\\n' + messages[0]['content'] + '<|im_end|>\\n' }}
{%- else %}
    {{- '<|im_start|>system\\nBe brief.<|im_end|>\\n' }}
{%- endif %}
{%- for turn in messages if turn.role != 'system' %}
    {{- '<|im_start|>' ~ turn.role ~ '\\n' }}
    {%- if turn.role == 'assistant' %}
        {%- generation %}{{- turn.content ~ '<|im_end|>' }}{%- endgeneration %}
    {%- else %}
        {{- turn.content ~ '<|im_end|>' }}
    {%- endif %}
    {{- '\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
{%- endif %}
"""

# prints BOS itself where the post-processor adds one too; strips; prints a date
HEADERS = """{{- bos_token }}
{%- if date_string is not defined %}
    {%- if strftime_now is defined %}
        {%- set date_string = strftime_now("%d %b %Y") %}
    {%- else %}
        {%- set date_string = "26 Jul 2024" %}
    {%- endif %}
{%- endif %}
{{- "<|reserved_special_token_0|>system<|reserved_special_token_1|>\\n\\nToday is " + date_string + "." + eos_token }}
{%- for turn in messages %}
    {{- '<|reserved_special_token_0|>' + turn['role'] + '<|reserved_special_token_1|>\\n\\n' + turn['content'] | trim + eos_token }}
{%- endfor %}
{%- if tools is not none and tools %}{{- tools | tojson }}{%- endif %}
"""

# another name for the model, no system turn, alternation enforced
TURNS = """{{ bos_token }}
{%- if messages[0].role == 'system' %}{{ raise_exception('There is no system turn') }}{% endif %}
{% for turn in messages %}
{% if (turn['role'] == 'user') != (loop.index0 % 2 == 0) %}
{{ raise_exception('Turns must alternate: user, model, user …') }}
{% endif %}
{% set name = 'model' if turn.role == 'assistant' else turn.role %}
{{ '<turn>' + name + '\\n' + turn.content.strip() + '</turn>' }}
{% endfor %}
"""

# brackets; the model's words follow the mark after a space
BRACKETS = """{%- set ns = namespace(n=0) -%}
{{ bos_token }}
{%- for turn in messages -%}
    {%- if turn.role == 'user' -%}
        {%- set ns.n = ns.n + 1 -%}
        {{ '[INST] ' ~ turn.content ~ ' [/INST]' }}
    {%- elif turn.role == 'assistant' -%}
        {{ ' ' ~ turn.content ~ ' ' ~ eos_token }}
    {%- else -%}
        {{ raise_exception('only user and assistant, not ' ~ turn.role) }}
    {%- endif -%}
{%- endfor -%}
"""

# nothing between the mark and the words; no BOS although the tokenizer has one for plain text
GLUED = "{% for turn in messages[::-1] | reverse %}{{ '### ' + turn.role.capitalize() + ':\\n' + turn.content + '\\n\\n' }}{% endfor %}"

# special tokens that swallow the white space after them
SWALLOWED = """{% for turn in messages %}{% if turn.content or turn.role == 'assistant' %}{{ '<|' + turn.role + '|>\\n' + turn.content + '<|end|>\\n' }}{% endif %}{% endfor %}"""

CASES = {
    "chatml": ("qwen2", CHATML),
    "headers": ("llama", HEADERS),
    "turns": ("gemma3_text", TURNS),
    "brackets-prepend": ("mistral", BRACKETS),
    "brackets-metaspace": ("llama-f16", BRACKETS),
    "glued": ("llama", GLUED),
    "swallowed": ("phi3", SWALLOWED),
    "chatml-gpt2": ("gpt2", CHATML),
}
EXTRA = ["a", "“I am tired,” she said", "zmęczona.", "Ich bin müde.\n", " with a space", "\u1112\u1161\u11ab"]


class Clock(datetime.datetime):
    """The day that templates are told."""

    @classmethod
    def now(cls, tz=None):
        return cls(2024, 7, 26)


def conversation(role, text):
    user = {"role": "user", "content": text if role == "user" else ""}
    return [user, {"role": "assistant", "content": text}] if role == "assistant" else [user]


def place(encoding, rendered, text, around):
    """First token of the text, one past its last; or None with what is wrong."""
    before, after = around
    if rendered != before + text + after:
        return None, "alters"
    start, end = len(before), len(before) + len(text)
    overlaps = lambda span: span is not None and span.start < end and span.end > start
    tokens = [token for token in range(len(encoding["input_ids"])) if overlaps(encoding.token_to_chars(token))]
    first, last = min(tokens), max(tokens)  # a character of several bytes may have several tokens
    spans = [encoding.token_to_chars(token) for token in (first, last)]
    if rendered[spans[0][0] : start].strip() or spans[1][1] > end:
        return None, "shares"
    return (first, last + 1), None


def main():
    chat_template_utils.datetime = Clock
    out = GOLDEN / "chat"
    out.mkdir(exist_ok=True)
    for name, (base, template) in CASES.items():
        tok = AutoTokenizer.from_pretrained(GOLDEN / "models" / base)
        tok.chat_template = template
        model = make_goldens.load64("causal", GOLDEN / "models" / base)
        expected = json.loads((GOLDEN / "expected" / f"{base}.json").read_text())
        texts = [text["text"] for text in expected["texts"] if len(text["ids"]) > 8][:N_TEXTS] + EXTRA
        cases = []
        for role in ("assistant", "user"):
            render = lambda text: tok.apply_chat_template(conversation(role, text), tokenize=False)
            around = render("QQQQ").split("QQQQ")
            assert len(around) == 2
            for text in texts:
                rendered = render(text)
                ids = tok.apply_chat_template(conversation(role, text), tokenize=True, return_dict=True)["input_ids"]
                encoding = tok(rendered, add_special_tokens=False)
                assert encoding["input_ids"] == ids
                span, reason = place(encoding, rendered, text, around)
                with make_goldens.float64():
                    logprobs = make_goldens.causal_logprobs(model, ids) if span else []
                cases.append({
                    "role": role, "text": text, "rendered": rendered, "ids": ids, "reason": reason,
                    "text_from": span and span[0], "text_to": span and span[1],
                    "logprobs": make_goldens.rnd([None, *logprobs]) if span else None,
                })
        special = {k: str(v) for k, v in tok.special_tokens_map.items() if isinstance(v, str)}
        record = {"base": base, "template": template, "special_tokens": special, "cases": cases}
        (out / f"{name}.json").write_text(json.dumps(record, ensure_ascii=False, indent=0) + "\n")
        reasons = [case["reason"] for case in cases]
        print(f"{name:20s} {base:12s} {len(cases)} texts, altered {reasons.count('alters')}, shared {reasons.count('shares')}")


if __name__ == "__main__":
    main()
