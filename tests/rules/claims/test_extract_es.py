"""What is read from Spanish text. Texts are our own unless a comment says otherwise."""

import pytest

from tests.rules.claims.summary import summaries

CHECKS: list[tuple[str, list[str]]] = [
    ("una prueba de Fuerza (Atletismo) CD 15", ["check athletics/str dc15"]),
    ("una prueba CD 13 de Destreza (Acrobacias)", ["check acrobatics/dex dc13"]),
    ("Atletismo CD 12 para trepar", ["check athletics dc12"]),
    ("una tirada de **Juego de Manos** (CD 14)", ["check sleight_of_hand dc14"]),
    ("Sigilo (Destreza) CD 12", ["check stealth/dex dc12"]),
    ("CD 11 de Percepción", ["check perception dc11"]),
    ("Percepción (CD 10) o Sigilo (CD 16)", ["check perception dc10", "check stealth dc16"]),
    ("Medicina o Naturaleza, CD 13", ["check medicine|nature dc13"]),
    ("Persuasión/Intimidación CD 16", ["check persuasion|intimidation dc16"]),
    ("Juego de Manos / Destreza (CD 15)", ["check sleight_of_hand/dex dc15"]),
    (
        "una prueba de Sabiduría (Percepción o Supervivencia) CD 13",
        ["check perception/wis|survival/wis dc13"],
    ),
    ("pruebas de Historia y de Religión con CD 12", ["check history&religion dc12"]),
    ("Pide una tirada de Engaño. CD 14.", ["check deception dc14"]),
    ("Historia CD 15, o CD 10 si leyeron el diario.", ["check history dc15 dc10[si leyeron el diario]"]),
    ("Sigilo (CD 15; 12 con la capa)", ["check stealth dc15"]),
    ("Sigilo CD 15 (12 si llevan la capa)", ["check stealth dc15 dc12[si llevan la capa]"]),
    (
        "Engaño, Persuasión o Intimidación (CD 12, 14 y 16 respectivamente)",
        ["check deception dc12", "check persuasion dc14", "check intimidation dc16"],
    ),
    ("Atletismo o Acrobacias CD 12/15", ["check athletics dc12", "check acrobatics dc15"]),
    ("una prueba de Fuerza para apartar la losa (CD 17)", ["check str dc17"]),
    ("una prueba de Inteligencia a CD quince", ["check int dc15"]),
    ("una prueba de Sigilo", ["check stealth"]),
    ("Prueba de Furtividad CD 13", ["check ~stealth dc13"]),
    ("Inteligencia (Conoc. Arcano) CD 15", ["check ~arcana/int dc15"]),
    ("Percepción pasiva 14", ["check passive perception dc14"]),
    ("Sabiduría (Percepción) pasiva de 12", ["check passive perception/wis dc12"]),
    (
        "una prueba enfrentada de Fuerza (Atletismo) contra Destreza (Acrobacias)",
        ["check contest athletics/str vs acrobatics/dex"],
    ),
    ("Sigilo contra Percepción", ["check contest stealth vs perception"]),
    ("Destreza (Cerrajería Fina) CD 15", ["check ?Cerrajería Fina/dex dc15"]),
    ("una prueba de Sabiduría (Rastreo) CD 12", ["check ?Rastreo/wis dc12"]),
    ("una prueba de Diplomacia CD 12", ["check !persuasion dc12"]),
    ("una prueba de destreza (juego manual) CD 12", ["check ?juego manual/dex dc12"]),
    ("una prueba de Destreza (herramientas de ladrón) CD 14", ["check dex dc14"]),
    ("Destreza con herramientas de ladrón (CD 14)", ["check dex dc14"]),
    ("una prueba de Fuerza (opcional) CD 10", ["check str dc10"]),
    ("| Sigilo | CD 15 |\n| Historia | CD 12 |", ["check stealth dc15", "check history dc12"]),
    ("- Percepción: CD 12\n- Sigilo: CD 14", ["check perception dc12", "check stealth dc14"]),
    ("una prueba de\nFuerza (Atletismo)\nCD 15", ["check athletics/str dc15"]),
    ("una tirada de CAR CD 12", ["check cha dc12"]),
    ("Atletismo (dificultad 15)", ["check athletics dc15"]),
    ("Sigilo — CD 15. Sigilo [CD 13].", ["check stealth dc15", "check stealth dc13"]),
    ("**CD 15** de *Sigilo*", ["check stealth dc15"]),
    ("una prueba de Sigilo con desventaja (CD 15)", ["check stealth dc15"]),
    ("Prueba: Destreza (Sigilo), CD 14", ["check stealth/dex dc14"]),
    ("CD 12 para Juego de Manos y CD 14 para Sigilo", ["check sleight_of_hand dc12", "check stealth dc14"]),
    ("Perspicacia enfrentada a su Engaño", ["check contest insight vs deception"]),
]

SAVES: list[tuple[str, list[str]]] = [
    ("una tirada de salvación de Constitución (CD 12)", ["save con dc12"]),
    ("TS de Sabiduría CD 14", ["save wis dc14"]),
    ("TS CD 15 de Con.", ["save con dc15"]),
    ("una salvación de Fuerza o de Destreza CD 13", ["save str|dex dc13"]),
    ("tirada de salvación contra muerte", ["save death"]),
    ("Si falla la tirada de salvación", ["save"]),
    ("una tirada de salvación (Destreza, CD 14)", ["save dex dc14"]),
    ("la CD de salvación es 13", ["save dc13"]),
    ("un +2 a las salvaciones de Destreza", []),
]

DCS: list[tuple[str, list[str]]] = [
    ("un golpe contra la reja (CD 15)", ["dc dc15"]),
    ("queda agarrado (CD 13 para escapar)", ["condition grappled", "dc dc13 escape"]),
    ("la CD baja 2", ["dc -2"]),
    ("la CD se reduce en 3 puntos", ["dc -3"]),
    ("la CD del cerrojo aumenta en 5", ["dc +5"]),
    ("la CD pasa a ser 12", ["dc to 12"]),
    ("rebaja la CD a 12 o 10 respectivamente", ["dc to 12|10"]),
    ("+2 a la CD", ["dc +2"]),
    ("reduce en 2 la CD", ["dc -2"]),
]

FIGURES: list[tuple[str, list[str]]] = [
    ("la puerta (CA 15, 20 PG)", ["ac 15", "hp 20"]),
    ("Clase de Armadura: 14", ["ac 14"]),
    ("CA de 17 y PG 52", ["ac 17", "hp 52"]),
    ("33 (6d8 + 6) puntos de golpe", ["hp 33=6d8+6"]),
    ("recupera 2d4+2 puntos de golpe", ["hp 2d4+2 gain"]),
    ("pierde 5 PG", ["hp 5 lose"]),
    ("gana 5 PG temporales", ["hp 5 temp gain"]),
    ("un bono de +2 a la CA", ["ac +2"]),
    ("+5 a golpear", ["attack +5"]),
    ("Ataque: +4", ["attack +4"]),
    ("una tirada de ataque", ["attack"]),
]

DAMAGE: list[tuple[str, list[str]]] = [
    ("3d6 de daño contundente", ["damage 3d6 bludgeoning"]),
    ("3d6 daño por aplastamiento", ["damage 3d6 !bludgeoning"]),
    ("7 (2d6) de daño de fuego", ["damage 7=2d6 fire"]),
    ("10 puntos de daño de ácido", ["damage 10 acid"]),
    ("4d6 perforante", ["damage 4d6 piercing"]),
    ("14 de daño cortante (4d6)", ["damage 14=4d6 slashing"]),
    ("3d6 puntos de daño de tipo fuego", ["damage 3d6 fire"]),
    ("2d8 + 3 de daño cortante o perforante", ["damage 2d8+3 slashing|piercing"]),
    ("1d6 de daño de fuego y 1d4 de daño de frío", ["damage 1d6 fire", "damage 1d4 cold"]),
    ("1d8 + 1d6 de daño de fuego", ["damage 1d8 fire", "damage 1d6 fire"]),
    ("daño de ácido (2d6)", ["damage 2d6 acid"]),
    ("2d6 de daño por turno", ["damage 2d6"]),
    ("2d6 de daño de penetración", ["damage 2d6 ~piercing"]),
    ("sufre 2d6 de daño lunar.", ["damage 2d6 ?lunar"]),
    ("tira 1d4 - 1", ["roll 1d4-1"]),
]

MEASURES: list[tuple[str, list[str]]] = [
    ("a 3 metros", ["distance 3m"]),
    ("a tres metros", ["distance 3m"]),
    ("cien metros más abajo", ["distance 100m height"]),
    ("treinta y cinco metros", ["distance 35m"]),
    ("medio metro", ["distance 0.5m"]),
    ("metro y medio", ["distance 1.5m"]),
    ("un metro y medio", ["distance 1.5m"]),
    ("dos metros y medio", ["distance 2.5m"]),
    ("a kilómetro y medio", ["distance 1500m"]),
    ("dos y medio metros", ["distance 2.5m"]),
    ("pie y media sonrisa", []),
    ("1,5 m", ["distance 1.5m"]),
    ("un área de 6x6 metros", ["distance 6m square"]),
    ("de 6 × 4 metros", ["distance 6m square"]),
    ("en un radio de 6 metros", ["distance 6m radius"]),
    ("6 metros de radio", ["distance 6m radius"]),
    ("un cono de 4,5 metros", ["distance 4.5m cone"]),
    ("de 1-4 metros", ["distance 1-4m"]),
    ("entre 3 y 5 metros", ["distance 3-5m"]),
    ("30 pies", ["distance 9m"]),
    ("una poza de doce metros de profundidad", ["distance 12m depth"]),
    ("cae 9 metros", ["fall 9m", "distance 9m"]),
    ("una caída de 30 pies", ["fall 9m", "distance 9m"]),
    ("cae al vacío", ["fall"]),
    ("durante un turno", ["duration 1 turn"]),
    ("cada 2 asaltos", ["every 2 round"]),
    ("1d4 minutos", ["duration 1d4 minute"]),
    ("hasta el final de su siguiente turno", ["until turn"]),
    ("diez minutos", ["duration 10 minute"]),
]

STATES: list[tuple[str, list[str]]] = [
    ("queda cegado durante un turno", ["condition blinded", "duration 1 turn"]),
    ("caen derribados", ["condition prone"]),
    ("quedan apresadas bajo la red", ["condition restrained"]),
    ("o quedar Aturdidos", ["condition stunned"]),
    ("(condición *prono*)", ["condition ~prone"]),
    ("Un aldeano asustado corre", ["condition frightened told"]),
    ("Un mendigo ciego", ["condition ~blinded told"]),
    ("deja de estar apresado", ["condition restrained not"]),
    ("un destello cegador", []),
    ("gana cobertura media (+2 a la CA)", ["cover half +2"]),
    ("tres cuartos de cobertura", ["cover ~three_quarters"]),
    ("cobertura media: +2 a la CA", ["cover half +2"]),
    ("cobertura parcial", ["cover ?cobertura parcial"]),
    ("busca cobertura tras el carro", []),
    ("tiene ventaja en las pruebas de Sigilo", ["advantage checks"]),
    ("con desventaja en las tiradas de ataque", ["disadvantage attacks"]),
    ("desventaja en sus ataques a distancia", ["disadvantage attacks ranged"]),
    ("tira con ventaja", ["advantage"]),
    ("la ventaja de los arqueros", []),
    ("obtiene ventaja táctica", []),
    ("usa su reacción para apartarse", ["action reaction"]),
    ("su reacción fue fría", []),
    ("la acción transcurre de noche", []),
    ("como acción bonus", ["action ~bonus_action"]),
    ("con una acción adicional", ["action bonus_action"]),
    ("gasta una acción", ["action action"]),
    ("una acción completa", ["action ?acción completa"]),
    ("la acción de Esconderse", ["action hide"]),
    ("la acción Esquivar", ["action dodge"]),
    ("sufre un ataque de oportunidad", ["action opportunity_attack"]),
    ("un fallo crítico", ["critical_failure"]),
    ("con un 1 natural", ["natural_1"]),
    ("saca un 20 natural", ["natural_20"]),
    ("el DM tira un dado: con 4 o más", ["unsized die"]),
    ("tira un dado de seis caras", []),
    ("tira los dados", []),
    ("visión en la oscuridad 18 m", ["sense darkvision 18m", "distance 18m"]),
    ("un hechizo de caída lenta", ["spell !feather_fall"]),
    ("un descanso breve", ["term ~short_rest"]),
]

NOTHING = [
    "La historia de la naturaleza y la fuerza del mar.",
    "Con éxito, la salvación del reino llegó; fue de día.",
    "Una prueba de fuerza de voluntad.",
    "Es la prueba de su engaño.",
    "El escudo dio un paso y metió dos pies en el agua.",
    "Un segundo guardia llega con un pie vendado.",
    "La religión del pueblo es su medicina.",
    "Llegan 4 guardias y 3 perros; la escena 4.2 termina.",
    "El frío y el fuego; el veneno del tiempo.",
]


@pytest.mark.parametrize(("text", "expected"), [*CHECKS, *SAVES, *DCS, *FIGURES, *DAMAGE, *MEASURES, *STATES])
def test_spanish_text_gives_these_claims(text: str, expected: list[str]):
    assert summaries(text, "es") == expected


@pytest.mark.parametrize("text", NOTHING)
def test_plain_spanish_narration_claims_nothing(text: str):
    assert summaries(text, "es") == []
