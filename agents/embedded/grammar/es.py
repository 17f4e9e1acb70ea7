"""Spanish: gender, number, articles, contractions, infinitives. Endings decide; a lexicon has the rest."""

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
)
from agents.embedded.places import is_place_word

_DEFINITE = {"el": "m", "la": "f", "los": "mp", "las": "fp"}
_CONTRACTED = {"del": "el", "al": "el"}
_INDEFINITE = {"un": "el", "una": "la", "unos": "los", "unas": "las"}
_ARTICLES = {("m", False): "el", ("f", False): "la", ("m", True): "los", ("f", True): "las"}
_FEMININE_ENDS = ("a", "ión", "dad", "tad", "tud", "umbre", "ez")
_I_SOUND = ("i", "hi", "í", "hí")
_INFINITIVES = ("ar", "er", "ir", "ír")
_CLITICS = ("se", "lo", "la", "los", "las", "le", "les")
_ABSTRACT_ENDS = ("dad", "tad", "tud", "ción", "sión", "eza", "ismo", "mente", "ando", "iendo")
_MAX_WORDS = 8


def _contract(preposition: str, phrase: str) -> str:
    if phrase.startswith("el ") and preposition in ("a", "de"):
        return f"{preposition}l {phrase[3:]}"
    return f"{preposition} {phrase}"


def _forms(the: str, *, plural: bool = False, proper: bool = False, head: str = "") -> Noun:
    of, to = _contract("de", the), _contract("a", the)
    return Noun(the=the, at=f"en {the}", of=of, to=to, plural=plural, proper=proper, head=head)


class Spanish:
    """The grammar of Spanish, as `base.Grammar` wants it."""

    language = "es"

    def __init__(self) -> None:
        self.nouns = load_nouns("es")

    # --- nouns --------------------------------------------------------------------------------------

    def is_plural(self, head: str) -> bool:
        """Tell whether a noun is plural by its form."""
        return len(head) > 3 and head.endswith("s") and head not in self.nouns["singular_in_s"]

    def gender(self, head: str) -> str:
        """Return `f` or `m`."""
        forms = [head, *self._singulars(head)]
        if any(form in self.nouns["feminine"] for form in forms):
            return "f"
        if any(form in self.nouns["masculine"] for form in forms):
            return "m"
        return "f" if any(form.endswith(_FEMININE_ENDS) for form in forms) else "m"

    def _singulars(self, head: str) -> list[str]:
        if not self.is_plural(head):
            return []
        singulars = [head[:-1]]
        if head.endswith("es"):
            singulars.append(head[:-2])
        if head.endswith("ces"):
            singulars.append(f"{head[:-3]}z")
        if head.endswith("iones"):
            singulars.append(f"{head[:-4]}ón")
        return singulars

    def article(self, head: str) -> str:
        """Return the definite article of a noun (`el`, `la`, `los`, `las`; `el` also for `agua`)."""
        plural = self.is_plural(head)
        if not plural and head in self.nouns["el_feminine"]:
            return "el"
        return _ARTICLES[self.gender(head), plural]

    def _common(self, tokens: Sequence[str]) -> bool:
        """Tell whether a phrase without article is a common noun, which wants one."""
        head = tokens[0].lower()
        known = is_place_word(head, "es") or head in self.nouns["roles"] or head in self.nouns["collective"]
        if head in self.nouns["toponyms"] and len(tokens) > 1 and tokens[1][0].isupper():
            return False
        linked = any(token.lower() in self.nouns["connectors"] for token in tokens[1:])
        sentence_case = len(tokens) > 1 and all(token[0].islower() for token in tokens[1:])
        return known or tokens[0][0].islower() or linked or sentence_case

    def _with_article(self, tokens: Sequence[str]) -> Noun:
        head = tokens[0].lower()
        titled = any(token[0].isupper() for token in tokens[1:])
        first = tokens[0] if titled else lower_first(tokens[0])
        phrase = " ".join([self.article(head), first, *tokens[1:]])
        return _forms(phrase, plural=self.is_plural(head), head=head)

    def _with_own_article(self, tokens: Sequence[str]) -> Noun:
        article = _INDEFINITE.get(tokens[0].lower(), tokens[0].lower())
        phrase = " ".join([article, *tokens[1:]])
        return _forms(phrase, plural=article in ("los", "las"), head=tokens[1].lower())

    def noun(self, text: str) -> Noun | None:
        """Read a noun phrase; see `base.Grammar`."""
        tokens = plain_words(text)
        if not tokens or len(tokens) > _MAX_WORDS:
            return None
        first = tokens[0].lower()
        if first in _DEFINITE or first in _INDEFINITE:
            return self._with_own_article(tokens) if len(tokens) > 1 else None
        if first in self.nouns["connectors"] or first in self.nouns["phrase_ends"]:
            return None
        if self._common(tokens):
            return self._with_article(tokens)
        return _forms(" ".join(tokens), proper=True, head=first)

    def thing(self, text: str) -> Noun | None:
        """Read the name of an item; see `base.Grammar`."""
        return self.noun(text)

    def place(self, text: str) -> Noun | None:
        """Read a place; see `base.Grammar`."""
        phrase = cut_at(first_sentence(text), ",:—–").strip()
        tokens = phrase.split()
        if tokens and tokens[0].lower() == "en":
            tokens = tokens[1:]
        if not tokens:
            return None
        if tokens[0].lower() in self.nouns["place_prepositions"] and all(map(is_word, tokens)):
            here = _forms("el lugar", head="lugar")
            return Noun(the=here.the, at=lower_first(" ".join(tokens)), of=here.of, to=here.to, head="lugar")
        short = until(tokens, {"que", "donde", "cuando", "mientras"})
        return self.noun(" ".join(short))

    def mentioned_place(self, text: str) -> Noun | None:
        """Return the first place that a sentence names; see `base.Grammar`."""
        tokens = [token.strip('.,:;«»"').lower() for token in text.split()]
        for before, token in pairwise(tokens):
            article = _CONTRACTED.get(before, before)
            if (
                article in _DEFINITE
                and is_place_word(token, "es")
                and token not in self.nouns["ambiguous_places"]
            ):
                return _forms(f"{article} {token}", plural=article.endswith("s"), head=token)
        return None

    # --- names --------------------------------------------------------------------------------------

    def name(self, text: str, count: int = 1) -> Noun | None:
        """Read a name of the cast; see `base.Grammar`."""
        tokens = plain_words(cut_at(first_sentence(text), ",:—–"))
        if not tokens or len(tokens) > _MAX_WORDS:
            return None
        first = tokens[0].lower()
        if first in ("los", "las"):
            return self._group(" ".join(tokens), "")  # a gang by its name, whatever the name means
        if first == "el" or first == "la":
            return self._with_own_article(tokens) if len(tokens) > 1 else None
        if first in self.nouns["collective"]:
            return _forms(f"{self.article(first)} {' '.join(tokens)}", head=first)
        if self.is_plural(first) and self._role(first):
            return self._group(" ".join(tokens), first)
        if count > 1:
            return self._group(" ".join([self.pluralise(tokens[0]), *tokens[1:]]), first)
        if self._role(first) or tokens[0][0].islower():
            return _forms(f"{self.article(first)} {' '.join(tokens)}", head=first)
        return _forms(" ".join(tokens), proper=True, head=first)

    def _role(self, head: str) -> bool:
        return any(form in self.nouns["roles"] for form in [head, *self._singulars(head)])

    def _group(self, names: str, head: str) -> Noun:
        """Return a group as a singular: `la patrulla de guardias del norte`."""
        return _forms(f"{group_word(self.language, head)} de {lower_first(names)}", head=head)

    def pluralise(self, word: str) -> str:
        """Return the plural of a noun (`guardián` → `guardianes`)."""
        low = word.lower()
        if self.is_plural(low) or low in self.nouns["singular_in_s"]:
            return word
        if low[-1] in "aeiouáéó":
            return f"{word}s"
        if low.endswith("z"):
            return f"{word[:-1]}ces"
        plain = {"án": "anes", "én": "enes", "ín": "ines", "ón": "ones", "ún": "unes", "és": "eses"}
        return f"{word[:-2]}{plain[low[-2:]]}" if low[-2:] in plain else f"{word}es"

    # --- goals --------------------------------------------------------------------------------------

    def is_infinitive(self, word: str) -> bool:
        """Tell whether a word is an infinitive, clitics included (`escapar`, `hacerse`)."""
        low = word.lower().strip(",")
        if low in self.nouns["not_infinitives"]:
            return False
        stems = [low, *(low.removesuffix(clitic) for clitic in _CLITICS if low.endswith(clitic))]
        return any(len(stem) >= 3 and stem.endswith(_INFINITIVES) for stem in stems) or low in ("ir", "irse")

    def goal(self, text: str) -> str | None:
        """Read an objective; see `base.Grammar`."""
        sentence = cut_at(first_sentence(text), ":—").strip(" ,")
        tokens = sentence.split()
        if not tokens or any(char in sentence for char in '0123456789{}[]<>/\\`*_"«»') or len(sentence) > 220:
            return None
        tokens = after_party(tokens, self.nouns) or tokens
        if tokens[0].lower() == "que" and len(tokens) > 3:
            return "lograr " + " ".join(
                self._spoken(token) for token in map(str, [lower_first(tokens[0]), *tokens[1:]])
            )
        if self.is_infinitive(tokens[0]):
            return lower_first(" ".join(self._spoken(token) for token in tokens))
        deed = self._deed(tokens)
        return f"llevar a cabo {deed}" if deed else None

    def _spoken(self, token: str) -> str:
        return "personajes" if token.strip(",").lower() == "pjs" else token

    def _deed(self, tokens: Sequence[str]) -> str | None:
        own_article = tokens[0].lower() in ("el", "la")
        head = tokens[1 if own_article and len(tokens) > 1 else 0].lower()
        if head not in self.nouns["deeds"] and not head.endswith(("ción", "sión")):
            return None
        return (
            lower_first(" ".join(tokens))
            if own_article
            else f"{self.article(head)} {lower_first(' '.join(tokens))}"
        )

    def handled(self, goal: str) -> Noun | None:
        """Return the thing that a goal is about; see `base.Grammar`."""
        tokens = goal.split()
        if tokens[0] not in self.nouns["handling"] or len(tokens) < 3 or tokens[1] not in _DEFINITE:
            return None
        stops = {"y", "e", "o", "u", "antes", "sin", "a", "al", "en", *self.nouns["phrase_ends"]}
        phrase = until(cut_at(" ".join(tokens[1:]), ",").split(), stops)
        return self.noun(" ".join(phrase)) if 2 <= len(phrase) <= 5 else None

    # --- tactics ------------------------------------------------------------------------------------

    def tactics(self, text: str) -> tuple[Noun, ...]:
        """Read the tactical elements; see `base.Grammar`."""
        found: dict[str, Noun] = {}
        for piece in phrases(text, " y "):
            noun = self._element(piece)
            if noun:
                found.setdefault(noun.the.lower(), noun)
        return tuple(found.values())

    def _element(self, piece: str) -> Noun | None:
        tokens = [token for token in piece.split() if token]
        lead = ""
        while tokens and tokens[0].lower() in self.nouns["quantifiers"]:
            lead, tokens = tokens[0].lower(), tokens[1:]
        tokens = until(tokens, self.nouns["phrase_ends"])
        if not 1 <= len(tokens) <= 4 or not all(map(is_word, tokens)):
            return None
        head = tokens[0].lower()
        refused = (
            self.nouns["abstract"]
            | self.nouns["connectors"]
            | self.nouns["phrase_ends"]
            | self.nouns["roles"]
        )
        if head in refused or head.endswith(_ABSTRACT_ENDS) or self.is_infinitive(head) or len(head) < 3:
            return None
        if tokens[-1].lower() in self.nouns["connectors"] or self.nouns["hazards"] & set(
            map(str.lower, tokens)
        ):
            return None
        named = len(tokens) > 1 and any(token[0].isupper() for token in tokens[1:])
        first = tokens[0] if named else tokens[0].lower()
        article = _INDEFINITE.get(lead) or self.article(head)  # `un montaplatos` is one
        return _forms(" ".join([article, first, *tokens[1:]]), plural=article in ("los", "las"), head=head)

    def listing(self, names: Sequence[str]) -> str:
        """Join names; `e` before an i."""
        last = names[-1].lower() if names else ""
        joint = (
            " e " if last.startswith(_I_SOUND) and not last.startswith(("hie", "ia", "ie", "io")) else " y "
        )
        return enumerate_names(names, joint)

    def alternatives(self, options: Sequence[str]) -> str:
        """Join options with the word for *or*; see `base.Grammar`."""
        return enumerate_names(options, " o ")

    def fixed(self, phrase: str) -> Noun:
        """Return the forms of a phrase of our own data; see `base.Grammar`."""
        return _forms(phrase)
