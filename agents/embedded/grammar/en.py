"""English: the definite article, where a place is (`in`, `on`, `at`), bare infinitives."""

from collections.abc import Sequence
from itertools import pairwise

from agents.embedded.grammar.base import (
    Noun,
    after_party,
    cut_at,
    enumerate_names,
    first_sentence,
    group_word,
    is_word,
    load_nouns,
    lower_first,
    phrases,
    plain_words,
    until,
    words_of,
)
from agents.embedded.places import is_place_word

_ARTICLES = ("the", "a", "an")
_DETERMINERS = words_of("the a an their its his her this that these those all every any enough who what")
_NO_VERBS = words_of("after before during while when if as with without in on at by for from and or but")
_ABSTRACT_ENDS = ("ness", "ment", "ity", "tion", "sion", "ism", "ance", "ence", "ing", "ly")
_VOWELS = "aeiou"
_MAX_WORDS = 8


def _gerund(verb: str) -> str:
    if verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")):
        return f"{verb[:-1]}ing"
    if len(verb) in (3, 4) and verb[-1] not in "aeiouwxy" and verb[-2] in _VOWELS and verb[-3] not in _VOWELS:
        return f"{verb}{verb[-1]}ing"
    return f"{verb}ing"


def _forms(the: str, at: str = "in", *, plural: bool = False, proper: bool = False, head: str = "") -> Noun:
    return Noun(
        the=the, at=f"{at} {the}", of=f"of {the}", to=f"to {the}", plural=plural, proper=proper, head=head
    )


class English:
    """The grammar of English, as `base.Grammar` wants it."""

    language = "en"

    def __init__(self) -> None:
        self.nouns = load_nouns("en")
        self._gerunds = {_gerund(verb): verb for verb in self.nouns["verbs"]}

    # --- nouns --------------------------------------------------------------------------------------

    def is_plural(self, head: str) -> bool:
        """Tell whether a noun is plural by its form."""
        if head in self.nouns["plural_in_other"]:
            return True
        return (
            len(head) > 3
            and head.endswith("s")
            and not head.endswith(("ss", "us", "is"))
            and (head not in self.nouns["singular_in_s"])
        )

    def head(self, tokens: Sequence[str]) -> str:
        """Return the noun that carries a phrase: the last word before a preposition."""
        return until(tokens, self.nouns["connectors"])[-1].lower()

    def _singular(self, head: str) -> str:
        if head.endswith("ves"):
            return f"{head[:-3]}f"
        return head.removesuffix("s")

    def _at(self, head: str, first: str = "") -> str:
        return next((word for word in ("on", "at") if {head, first} & self.nouns[word]), "in")

    def _common(self, tokens: Sequence[str]) -> bool:
        """Tell whether a phrase without article is a common noun, which wants one."""
        if len(tokens) > 1 and tokens[0].lower() in self.nouns["toponyms"] and tokens[1][0].isupper():
            return False
        if any("'" in token or "’" in token for token in tokens[:-1]):
            return False
        head = self.head(tokens)
        known = any(
            is_place_word(form, "en") or form in self.nouns["roles"] or form in self.nouns["collective"]
            for form in (head, self._singular(head))
        )
        linked = any(token.lower() == "of" for token in tokens[1:])
        sentence_case = len(tokens) > 1 and all(token[0].islower() for token in tokens[1:])
        return known or linked or sentence_case or tokens[0][0].islower()

    def _article(self, tokens: Sequence[str]) -> Noun:
        titled = any(token[0].isupper() for token in tokens[1:])
        first = tokens[0] if titled else lower_first(tokens[0])
        head = self.head(tokens)
        return _forms(
            " ".join(["the", first, *tokens[1:]]), self._at(head), plural=self.is_plural(head), head=head
        )

    def noun(self, text: str) -> Noun | None:
        """Read a noun phrase; see `base.Grammar`."""
        tokens = plain_words(text)
        if not tokens or len(tokens) > _MAX_WORDS:
            return None
        first = tokens[0].lower()
        if first in _ARTICLES:
            return self._with_own_article(tokens[1:])
        if first in self.nouns["connectors"] or first in _DETERMINERS or first in _NO_VERBS:
            return None
        if self._common(tokens):
            return self._article(tokens)
        head = self.head(tokens)
        return _forms(" ".join(tokens), self._at(head, first), proper=True, head=head)

    def _with_own_article(self, tokens: Sequence[str]) -> Noun | None:
        if not tokens:
            return None
        head = self.head(tokens)
        return _forms(" ".join(["the", *tokens]), self._at(head), plural=self.is_plural(head), head=head)

    def thing(self, text: str) -> Noun | None:
        """Read the name of an item; see `base.Grammar`. One of several words is described, not only named."""
        noun = self.noun(text)
        if noun is None or not noun.proper or " " not in noun.the:
            return noun
        return _forms(f"the {noun.the}", plural=noun.plural, head=noun.head)

    def place(self, text: str) -> Noun | None:
        """Read a place; see `base.Grammar`."""
        tokens = cut_at(first_sentence(text), ",:—–").strip().split()
        if tokens and tokens[0].lower() in self.nouns["place_leads"]:
            tokens = tokens[1:]
        if not tokens:
            return None
        if tokens[0].lower() in self.nouns["place_prepositions"] and all(map(is_word, tokens)):
            here = _forms("the place", head="place")
            return Noun(the=here.the, at=lower_first(" ".join(tokens)), of=here.of, to=here.to, head="place")
        short = until(tokens, {"that", "where", "which", "when", "while"})
        return self.noun(" ".join(short))

    def mentioned_place(self, text: str) -> Noun | None:
        """Return the first place that a sentence names; see `base.Grammar`."""
        tokens = [token.strip('.,:;"“”').lower() for token in text.split()]
        for before, token in pairwise(tokens):
            if before == "the" and is_place_word(token, "en") and token not in self.nouns["ambiguous_places"]:
                return _forms(f"the {token}", self._at(token), plural=self.is_plural(token), head=token)
        return None

    # --- names --------------------------------------------------------------------------------------

    def name(self, text: str, count: int = 1) -> Noun | None:
        """Read a name of the cast; see `base.Grammar`."""
        tokens = plain_words(cut_at(first_sentence(text), ",:—–"))
        if not tokens or len(tokens) > _MAX_WORDS:
            return None
        own_article = tokens[0].lower() in _ARTICLES
        tokens = tokens[1:] if own_article else tokens
        if not tokens:
            return None
        head, joined = self.head(tokens), " ".join(tokens)
        if head in self.nouns["collective"]:
            return _forms(f"the {joined}", head=head)
        if count > 1 or (self._role(head) and self.is_plural(head)):
            group = self._pluralised(tokens)
            word = group_word(self.language, head)
            return _forms(f"{word} of {group if len(tokens) > 1 else group.lower()}", head=head)
        titled = tokens[0].lower() in self.nouns["titles"] and len(tokens) > 1 and tokens[1].lower() != "of"
        common = own_article or tokens[0][0].islower() or (self._role(head) and not titled)
        if common:
            return _forms(f"the {joined}", head=head)
        return _forms(joined, proper=True, head=head)

    def _role(self, head: str) -> bool:
        return any(form in self.nouns["roles"] for form in (head, self._singular(head)))

    def _pluralised(self, tokens: Sequence[str]) -> str:
        length = len(until(tokens, self.nouns["connectors"]))
        words = [*tokens[: length - 1], self.pluralise(tokens[length - 1]), *tokens[length:]]
        return " ".join(words)

    def pluralise(self, word: str) -> str:
        """Return the plural of a noun (`wolf` → `wolves`)."""
        low = word.lower()
        if self.is_plural(low):
            return word
        if low.endswith(("man", "wolf", "elf", "thief", "dwarf")):
            irregular = {
                "man": "men",
                "wolf": "wolves",
                "elf": "elves",
                "thief": "thieves",
                "dwarf": "dwarves",
            }
            end = next(e for e in irregular if low.endswith(e))
            return word[: len(word) - len(end) + 1] + irregular[end][1:]
        if low.endswith(("s", "x", "z", "ch", "sh")):
            return f"{word}es"
        if low.endswith("y") and low[-2:-1] not in _VOWELS:
            return f"{word[:-1]}ies"
        return f"{word}s"

    # --- goals --------------------------------------------------------------------------------------

    def goal(self, text: str) -> str | None:
        """Read an objective; see `base.Grammar`."""
        sentence = cut_at(first_sentence(text), ":—").strip(" ,")
        tokens = sentence.split()
        if not tokens or any(char in sentence for char in '0123456789{}[]<>/\\`*_"«»') or len(sentence) > 220:
            return None
        tokens = after_party(tokens, self.nouns) or tokens
        if tokens[0].lower() == "to" and len(tokens) > 1:
            tokens = tokens[1:]
        verb = self._verb(tokens)
        if verb:
            return " ".join([verb, *(self._spoken(token) for token in tokens[1:])])
        deed = self._deed(tokens)
        return f"carry out {deed}" if deed else None

    def is_infinitive(self, word: str) -> bool:
        """Tell whether a word is a verb with which an objective may begin."""
        return word.lower().strip(",") in self.nouns["verbs"]

    def _verb(self, tokens: Sequence[str]) -> str | None:
        first = tokens[0].lower()
        if first in self.nouns["verbs"]:
            return first
        if first in self._gerunds:
            return self._gerunds[first]
        determined = len(tokens) > 1 and tokens[1].lower() in _DETERMINERS
        plain = first.isalpha() and not first.endswith(("ing", "s", "ed", "ly"))
        return first if determined and plain and first not in _NO_VERBS | _DETERMINERS else None

    def _spoken(self, token: str) -> str:
        return "characters" if token.strip(",").lower() in ("pcs", "pc’s") else token

    def _deed(self, tokens: Sequence[str]) -> str | None:
        own_article = tokens[0].lower() in ("the", "a", "an")
        rest = tokens[1:] if own_article else tokens
        if not rest or self.head(rest) not in self.nouns["deeds"]:
            return None
        return lower_first(" ".join(tokens)) if own_article else f"the {lower_first(' '.join(rest))}"

    def handled(self, goal: str) -> Noun | None:
        """Return the thing that a goal is about; see `base.Grammar`."""
        tokens = goal.split()
        if tokens[0] not in self.nouns["handling"] or len(tokens) < 3 or tokens[1].lower() != "the":
            return None
        stops = {
            "and",
            "or",
            "before",
            "without",
            "to",
            "in",
            "at",
            "back",
            "out",
            "away",
            *self.nouns["phrase_ends"],
        }
        phrase = until(cut_at(" ".join(tokens[1:]), ",").split(), stops)
        return self.noun(" ".join(phrase)) if 2 <= len(phrase) <= 5 else None

    # --- tactics ------------------------------------------------------------------------------------

    def tactics(self, text: str) -> tuple[Noun, ...]:
        """Read the tactical elements; see `base.Grammar`."""
        found: dict[str, Noun] = {}
        for piece in phrases(text, " and "):
            noun = self._element(piece)
            if noun:
                found.setdefault(noun.the.lower(), noun)
        return tuple(found.values())

    def _element(self, piece: str) -> Noun | None:
        tokens = piece.split()
        while tokens and (tokens[0].lower() in self.nouns["quantifiers"] or tokens[0].lower() == "and"):
            tokens = tokens[1:]
        tokens = until(tokens, self.nouns["phrase_ends"])
        if not 1 <= len(tokens) <= 4 or not all(map(is_word, tokens)):
            return None
        if tokens[-1].lower() in self.nouns["connectors"] or tokens[0].lower() in self.nouns["connectors"]:
            return None
        head = self.head(tokens)
        refused = self.nouns["abstract"] | self.nouns["phrase_ends"] | self.nouns["roles"] | _NO_VERBS
        if head in refused or head.endswith(_ABSTRACT_ENDS) or len(head) < 3 or tokens[0].lower() in refused:
            return None
        verbal = tokens[0].lower() in self.nouns["verbs"] and len(tokens) > 1
        if verbal or self.nouns["hazards"] & set(map(str.lower, tokens)):
            return None
        named = len(tokens) > 1 and any(token[0].isupper() for token in tokens[1:])
        first = tokens[0] if named else tokens[0].lower()
        return _forms(" ".join(["the", first, *tokens[1:]]), plural=self.is_plural(head), head=head)

    def listing(self, names: Sequence[str]) -> str:
        """Join names; a comma before `and` from three on."""
        return enumerate_names(names, ", and " if len(names) > 2 else " and ")

    def alternatives(self, options: Sequence[str]) -> str:
        """Join options with the word for *or*; see `base.Grammar`."""
        return enumerate_names(options, " or ")

    def fixed(self, phrase: str) -> Noun:
        """Return the forms of a phrase of our own data; see `base.Grammar`."""
        return _forms(phrase)
