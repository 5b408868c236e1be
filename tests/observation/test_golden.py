"""Recorded texts, and the printed parts of the first decision word for word."""

from __future__ import annotations

import pytest

from mt_gym.engine.load import load
from tests.observation.golden import FOLDER, scenes, text_at

SCENES = dict(scenes())


@pytest.mark.parametrize("name", list(SCENES))
def test_the_text_is_the_recorded_one(name: str) -> None:
    recorded = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert SCENES[name] + "\n" == recorded


def test_every_recorded_text_is_compared() -> None:
    assert sorted(SCENES) == sorted(path.stem for path in FOLDER.glob("*.txt"))


FIRST = """\
=== Floor: simple | Turn 1/300 ===
Hero: HP=470 (100.0% [OK]) ATK=9 DEF=4 MDEF=0 Gold=0 EXP=0
Keys: Y=1 B=0 R=0
Key budget: yellow 1 in hand + 4 on this floor = 5 for 4 closed yellow door(s)
Position: (5,1)
Enemies remaining: 14/14
Uncollected items still on floor: ATK+1@(1,0), Yellow Key@(0,1), ATK+1@(9,1), \
Red Potion (+75 HP)@(9,2)(+75HP), Blue Potion (+200 HP)@(10,2)(+200HP),
DEF threshold tip: Collect +3 more DEF gems → Green Slime ×2 become FREE \
(saves 48 HP; +4 DEF gems remain on map)
Boss at (5,10): ATK=20 DEF=12 HP=50 | if fought now: UNWINNABLE — need ATK≥13 to \
deal damage (you have ATK=9)
HP budget at max stats (all 4 ATK / 4 DEF gems collected): 1170 HP available \
(HP + 700 potions) vs 669 HP for the 2 monsters that block the way to the boss + \
the boss → margin +501 HP
11 other monsters (258 HP at max stats) block nothing
Recent actions this floor:
  T1: Collect Yellow Key at (5,1) (HP +0→470)
  1. [fight] Slime Lord at (4,2) — monATK=10 monDEF=5 [FREE if DEF≥10, need +6 more] \
— damage=114 (24.3%) hpAfter=356 [MODERATE] lookahead=0(raw=91-gw=114) effCost=None \
| min-cost=18@maxStats(ATK=13,DEF=8) save=96HP — collect stat gems first
 → next fight: ⚔ Slime Lord@(2,1) dmg=114(24.3%), FREE@DEF≥10(+6)
   → via [Slime Lord@(2,1) [dmg=114 (24%), FREE if DEF≥10 (+6 needed)]]: \
Red Gem (+1 ATK) [STAT], Yellow Key
 → stat gems behind it (+1 ATK): 228 HP of fighting to reach them, then they save \
22 HP on the other fights listed now → net -206 HP
 → ORDER (this Slime Lord at (4,2)): take this fight BEFORE "Fight Red Slime at \
(5,3) dmg=56" — this fight then that route: 380 HP; that route then this fight: \
392 HP (saves 12)
  2. [fight] Red Slime at (5,3) — monATK=11 monDEF=1 [FREE if DEF≥11, need +7 more] \
— damage=56 (11.9%) hpAfter=414 [SAFE] lookahead=0(raw=220-gw=261) effCost=None | \
+75 HP potions behind it (collect any time) | min-cost=15@maxStats(ATK=13,DEF=8) \
save=41HP — collect stat gems first  [ALTERNATIVE ROUTE —
 → next fight: ⚔ Green Slime@(5,6) dmg=24(5.1%), FREE@DEF≥7(+3), ⚔ \
Black Slime@(3,7) dmg=55(11.7%), magic-atk,
 → stat gems behind it (+1 ATK +1 DEF): 317 HP of fighting to reach them, then they \
save 54 HP on the other fights listed now → net -263 HP
 → ORDER (this Red Slime at (5,3)): take this fight BEFORE "Fight Slime Lord at \
(4,2) dmg=114" — this fight then that route: 206 HP; that route then this fight: \
277 HP (saves 71)
  3. [fight] Black Slime at (6,4) — monATK=5 monDEF=5 [magic-atk] [magic-atk: DEF \
useless — only ATK+MDEF reduce cost] — damage=55 (11.7%) hpAfter=415 [SAFE] \
lookahead=29(raw=345-gw=316) effCost=26 | +225 HP potions behind it (collect any time)
 → next fight: ⚔ Green Slime@(5,6) dmg=24(5.1%), FREE@DEF≥7(+3)
 → unlocks: yellow door
   → via [Bat@(3,5) [dmg=182 (39%), FREE if DEF≥17 (+13 needed)]]: \
Red Potion (+75 HP), Red Gem (+1 ATK) [STAT], Yellow Key
   → via [Green Slime@(5,6) [dmg=24 (5%), FREE if DEF≥7 (+3 needed)]]: yellow door
   → via [yellowDoor@(7,5)]: Red Potion (+75 HP)
     → via [yellowDoor@(7,5) → Black Slime@(9,5) [dmg=55 (12%), magic-atk]]: \
Blue Gem (+1 DEF) [STAT], Red Potion (+75 HP)
       → via [Green Slime@(5,6) [dmg=24 (5%), FREE if DEF≥7 (+3 needed)] → \
yellowDoor@(4,7) → Black Slime@(3,7) [dmg=55 (12%), magic-atk]]: \
Blue Gem (+1 DEF) [STAT], Yellow Key ×2
 → stat gems behind it (+1 ATK +2 DEF): 371 HP of fighting to reach them, then they \
save 75 HP on the other fights listed now → net -296 HP
 → ORDER (this Black Slime at (6,4)): take this fight BEFORE "Fight Slime Lord at \
(4,2) dmg=114" — this fight then that route: 175 HP; that route then this fight: \
268 HP (saves 93)
 → keys: behind this fight none; it exposes yellow door (7,5) → none behind it
  4. [open_door] Yellow Door at (7,0) [DEAD END - DO NOT OPEN]
FINAL_CHOICE: <number>
"""


def test_the_first_decision_prints_the_listing_in_its_order() -> None:
    text = text_at(load("simple"), "annotated")
    position = 0
    for part in FIRST.splitlines():
        found = text.find(part, position)
        assert found >= 0, part
        position = found + len(part)


def test_turn_9_shows_both_doors_with_their_net_balance() -> None:
    text = SCENES["simple_turn_9"]
    assert "Turn 8/300" in text
    assert "Position: (1,10)" in text
    assert "Hero: HP=336 (71.5% [OK]) ATK=9 DEF=5" in text
    near = text[text.index("  6. [open_door] Yellow Door at (7,0)") :]
    assert "(+1 ATK): 16 HP of fighting" in near
    assert "save 94 HP on the other fights listed now → net +78 HP" in near
    far = text[text.index("  7. [open_door] Yellow Door at (7,5)") :]
    assert "(+1 ATK +2 DEF): 198 HP of fighting" in far
    assert "save 216 HP on the other fights listed now → net +18 HP" in far
