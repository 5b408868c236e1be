"""Pixel art: the sprite sheet, the colours it is painted with, and the font.

Every sprite is 16 x 16 characters, one per pixel. ``.`` is transparent, a letter is a
fixed colour of :data:`PALETTE`, and ``1 2 3`` are the light, main and dark shade of the
sprite's own colour (a door's tint, a monster's hide) with ``4`` as its accent, so one
drawing serves every colour.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Colour: TypeAlias = tuple[int, int, int]
Ramp: TypeAlias = tuple[Colour, Colour, Colour]

ART_SIZE = 16
GLYPH_WIDTH, GLYPH_HEIGHT = 5, 8

PALETTE: Mapping[str, Colour] = MappingProxyType(
    {
        "k": (28, 22, 34),
        "K": (52, 44, 60),
        "w": (252, 250, 242),
        "s": (206, 210, 220),
        "g": (148, 152, 166),
        "d": (96, 100, 116),
        "y": (255, 210, 63),
        "o": (205, 140, 35),
        "r": (226, 62, 56),
        "R": (148, 32, 44),
        "b": (72, 108, 214),
        "B": (44, 62, 146),
        "c": (150, 220, 240),
        "C": (90, 170, 206),
        "G": (66, 160, 84),
        "p": (186, 104, 232),
        "P": (244, 140, 180),
        "n": (158, 104, 60),
        "N": (108, 66, 40),
        "e": (246, 204, 160),
        "a": (190, 176, 146),
        "A": (174, 159, 129),
        "h": (124, 132, 160),
        "i": (92, 99, 128),
        "j": (70, 75, 102),
        "m": (44, 46, 66),
    }
)

RAMPS: Mapping[str, Ramp] = MappingProxyType(
    {
        "yellow": ((255, 240, 150), (246, 200, 44), (190, 132, 24)),
        "blue": ((140, 190, 255), (62, 112, 226), (36, 62, 150)),
        "red": ((255, 150, 136), (222, 54, 52), (142, 26, 42)),
        "green": ((168, 236, 140), (66, 172, 78), (30, 106, 62)),
        "white": ((255, 255, 255), (226, 230, 238), (164, 170, 188)),
        "black": ((110, 106, 126), (62, 58, 76), (40, 36, 50)),
        "grey": ((190, 190, 196), (136, 136, 146), (92, 92, 106)),
        "gold": ((255, 226, 120), (226, 168, 40), (156, 100, 22)),
        "orange": ((255, 196, 128), (240, 132, 44), (168, 80, 24)),
        "brown": ((206, 156, 110), (150, 98, 56), (96, 60, 38)),
        "purple": ((206, 160, 250), (142, 84, 206), (88, 46, 140)),
        "pink": ((255, 206, 224), (240, 134, 176), (178, 76, 124)),
        "cyan": ((206, 250, 255), (96, 202, 224), (44, 132, 164)),
        "nether": ((140, 108, 176), (84, 52, 122), (52, 28, 82)),
        "spirit": ((222, 255, 240), (136, 218, 196), (76, 150, 140)),
        "shadow": ((104, 120, 152), (54, 64, 98), (32, 36, 62)),
    }
)

_SHEET = """
floor            wall             breakable        door             gate
aaaaaaaAaaaaaaaA hhhhhhhmhhhhhhhm hhhhhhkmhhhhhhhm kkkkkkkkkkkkkkkk kkkkkkkkkkkkkkkk
aaaaaaaAaaaaaaaA hiiiiiimhiiiiiim hiiiiikkhiiiiiim kggggggggggggggk kddddddddddddddk
aaaaaaaAaaaaaaaA iiiiiijmiiiiiijm iiiiiijkkiiiiijm kgkkkkkkkkkkkkgk kdkkkkkkkkkkkkdk
aaaaaaaAaaaaaaaA mmmmmmmmmmmmmmmm mmmmmmmmkmmmmmmm kgk1111111111kgk kdksssskksssskdk
aaaaaaaAaaaaaaaA hhhmhhhhhhhmhhhh hhhmhhhkkhhmhhhh kgk1222332221kgk kdksgggkkgggskdk
aaaaaaaAaaaaaaaA iiimhiiiiiimhiii iiimhikkaakmhikk kgk1222332221kgk kdkgwggkkggwgkdk
aaaaaaaAaaaaaaaA iijmiiiiiijmiiii iijmikaaaakkkkki kgk1222332221kgk kdkggkkppkkggkdk
AAAAAAAAAAAAAAAA mmmmmmmmmmmmmmmm mmmmmkaAaakmmmmm kgk122kkkk221kgk kdkggkppppkggkdk
aaaaaaaAaaaaaaaA hhhhhhhmhhhhhhhm hhhhkkaaAkhhhhhm kgk12kyyyyk21kgk kdkggkpwwpkggkdk
aaaaaaaAaaaaaaaA hiiiiiimhiiiiiim hikkkhkkkkiiiiim kgk12kykkyk21kgk kdkggkppppkggkdk
aaaaaaaAaaaaaaaA iiiiiijmiiiiiijm kkiiiijmikkiiijm kgk12kykkyk21kgk kdkggkkppkkggkdk
aaaaaaaAaaaaaaaA mmmmmmmmmmmmmmmm mmmmmmmmmmkkmmmm kgk12kyyyyk21kgk kdkgwggkkggwgkdk
aaaaaaaAaaaaaaaA hhhmhhhhhhhmhhhh hhhmhhhhhhhkhhhh kgk122kkkk221kgk kdkggggkkggggkdk
aaaaaaaAaaaaaaaA iiimhiiiiiimhiii iiimhiiiiiikkiii kgk1222332221kgk kdkgdddkkdddgkdk
aaaaaaaAaaaaaaaA iijmiiiiiijmiiii iijmiiiiiijmkiii kgk3333333333kgk kdkddddkkddddkdk
AAAAAAAAAAAAAAAA mmmmmmmmmmmmmmmm mmmmmmmmmmmmkkmm kgkkkkkkkkkkkkgk kdkkkkkkkkkkkkdk
bars             key              key_box          gem              potion
kkkkkkkkkkkkkkkk ................ ................ ................ ................
kggggggggggggggk ................ ................ ................ ......nnnn......
kkkkkkkkkkkkkkkk ................ ................ ................ .....kNNNNk.....
.kwk.kwkkwk.kwk. ...kkk.......... ...kkkkkkkkkk... ....kkkkkkkk.... .....kkkkkk.....
.kgk.kgkkgk.kgk. ..k112k......... ..kn11111111nk.. ...k11w12223k... ......kskwsk....
.kgk.kgkkgk.kgk. .k12222k........ .knnnnnnnnnnnnk. ..k11w1222233k.. ......kskwsk....
.kgk.kgkkgk.kgk. .k12kk22kkkkkkk. kkkkkkkkkkkkkkkk .k1www22222333k. .....kskkwsk....
kkkkkkkkkkkkkkkk k12k..k1111111k. kNKyyKKbbKKrrKNk .k333112222333k. ....kswwwwwsk...
kggggggggggggggk k22k..k2222222k. kNKyyKKbbKKrrKNk ..k2233333323k.. ...ks11111112k..
kkkkkkkkkkkkkkkk .k22kk23kk2kk2k. kNKKyKKKbKKKrKNk ...k22122233k... ..ks1w12222223k.
.kwk.kwkkwk.kwk. .k32223k.k2kk2k. kNKyyKKbbKKrrKNk ....k221223k.... ..k11w1222223k..
.kgk.kgkkgk.kgk. ..k333k..k3kk3k. kNKKyKKKbKKKrKNk .....k2123k..... ..k1112222223k..
.kgk.kgkkgk.kgk. ...kkk....k..k.. kNNNNNNNNNNNNNNk ......k13k...... ..k1122222233k..
.kgk.kgkkgk.kgk. ................ kkkkkkkkkkkkkkkk .......kk....... ..k3222222333k..
.kdk.kdkkdk.kdk. ................ ................ ................ ...k33333333k...
.kkk.kkkkkk.kkk. ................ ................ ................ ....kkkkkkkk....
sword            shield           holy_water       feather          gold
.............kkk ................ ......kkkk...... ............kkk. ................
............kwsk .kkkkkkkkkkkkkk. .....kyyyyk..... ..........kkwwwk ....kkkkkkkk....
...........kwsgk .kwsssyyyyssswk. ......kkkk...... .........kwwww1k ....kn1nknn1nk..
..........kwsgk. .kw222yyyy222wk. ......kwwk...... ........kwww12k. .....knnnnnk....
.........kwsgk.. .ks222yyyy222sk. .....kcwwck..... .......kwww122k. .....kyyyyk.....
........kwsgk... .ks222yyyy222sk. ....kcwwwwck.... ......kwww122k.. ....knnnnnnk....
.......kwsgk.... .kyyyyyyyyyyyyk. ...kcwwwwwwck... .....kwww1222k.. ...kn1nnnnnNk...
......kwsgk..... .kyyyyyyyyyyyyk. ..kcwwyyyywwck.. .....kww1122k... ..kn1nnyynnnNk..
.kk..kwsgk...... .ks222yyyy222sk. ..kcwwyyyywwck.. ....kwww122kk... .kn1nyyyyyynnNk.
.kykkwsgk....... .kg222oooo222gk. ..kcyyyyyyyyck.. ....kww1222k.... .knnnyynnnnnnNk.
..kyksgk........ ..kg22oooo22gk.. ..kcyyyyyyyyck.. ....kww122kk.... .knnnyyyyyynnNk.
...kyyk......... ..kg32oooo23gk.. ..kcwwyyyywwck.. ....kw1222k..... .knnnnnnnyynkkkk
..kNkkyk........ ...kg3oooo3gk... ..kccwyyyywcck.. ....koo22k...... .knnnyyyyyykwyyk
.kNk..kyk....... ....kkooookk.... ..kCccyyyyccCk.. ...kokkkk....... .kNnnnnyynnkykok
kok....kk....... ......kkkk...... ..kCCccccccCCk.. ..kok........... ..kNNNNNNNNkyyok
kk.............. ................ ...kkkkkkkkkk... ..kk............ ...kkkkkkkk.kkk.
treasure         shop             trader           character        stairs_up
................ kkkkkkkkkkkkkkkk .....kkkkkk..... .....kkkkkk..... ............kkkk
................ krrwwrrwwrrwwrrk ....kGGGGGGk.... ....kddddddk.... ..kk........kwwk
..kkkkkkkkkkkk.. krrwwrrwwrrwwrrk ...kGwGrrGwGk... ....kdeeeedk.... .kGGk.......kssk
.knyynnnnnnyynk. krrwwrrwwrrwwrrk ...kGGGGGGGGk... ....keKeeKek.... kGGGGk......kssk
knnyynnnnnnyynnk kRRssRRssRRssRRk ....keKeeKek.... ....keeeeeek.... kkGGkk..kkkkkssk
knnyynnnnnnyynnk .kk.kkkkkkkk.kk. ....keeeeeek.... .....keeeek..... .kGGk...kwwwwssk
kNNooNNNNNNooNNk .kN.kwwwwwwk.Nk. ....kNNNNNNk.... ...kkkkkkkkkk... .kGGk...kssssggk
kyyyyykkkkyyyyyk .kNkwwwwwwwwkNk. ..kkkkNNNNkkkk.. ..k1222222221k.. .kkkk...kssssggk
kkkkkkyyyykkkkkk .kNkeKeeeeKekNk. .kGGGkkkkkkGGGk. ..k1222222221k.. ....kkkkkssssggk
knnyykykkykyynnk .kNkeeeeeeeekNk. .kGkGGwwwwGGkGk. ..k1k222222k1k.. ....kwwwwggggggk
knnyykyyyykyynnk .kNkkwwwwwwkkNk. .keknnwwwwnnkek. ..kek222222kek.. ....kssssggggggk
knnyynkkkknyynnk kkkkkkwwwwkkkkkk ..kknnnnnnnnkk.. ...kkooooookk... ....kssssggggggk
knnyynnnnnnyynnk knnnnkyyyyknnnnk ..knnnyyyynnnk.. ...k12233221k... kkkkkssssggggddk
kNNooNNNNNNooNNk knNnkyyooyyknNnk ..knnnyyyynnnk.. ..k1222332221k.. kwwwwggggggggddk
kkkkkkkkkkkkkkkk knNnnkyyyyknnNnk ...kNnnnnnnNk... ..k3333333333k.. kssssggggggddddk
................ kkkkkkkkkkkkkkkk ...kkkkkkkkkk... ..kkkkkkkkkkkk.. kkkkkkkkkkkkkkkk
stairs_down      goal             crystal          tool             portal
kkkkkkkkkkkkkkkk ................ .......kk....... ....kkkkkk...... .....kkkkkk.....
kwwwwkKKKKKKKKKk ...kkkkkkkkkk... ......k1wk...... ...kcccwwwkk.... ...kk333333kk...
ksssskKKKKKkkkKk .kkkwyyyyyywkkk. ......k1wk...... ....kkkkcwwck... ..k3322222233k..
ksssskKKKKkrrrkk kyykwyyyyyywkyyk .....k11w2k..... .......kkcwck... .k332211112233k.
ksssskKKKKkrrrkk kykkwyyyyyywkkyk .....k11w2k.kk.. ......knNkcwck.. .k322113331123k.
kwwwwwwwkkkrrrkk kyokwyyyyyywkoyk .kk..k1122kk1wk. .....knNk.kccck. k32213ww1133223k
kssssssskkrrrrrk .kykoyyyyyyokyk. k1wk.k1122k11wk. ....knNk..kcwck. k3213ww22112323k
kgggggggkKkrrrkk ..kkkoyyyyokkk.. k1w2kk1122k1123k ...knNk....kcck. k3213w22w213223k
kggggggggkkkrkKk ....kkoyyokk.... k112kk1122k1123k ..knNk.....kcck. k3223122w213223k
kssssssssskKkKKk .....kkookk..... k1123k1122k123k. .knNk......kcck. k32231122w13223k
kgggggggggkKKKKk ......kyyk...... .k123k1223k123k. knNk........kck. k322331111w3223k
kdddddddddkKKKKk ......kyyk...... .k122k1223k123k. kNk.........kck. .k322233ww3223k.
kgggggggggggggkk ....kkkkkkkk.... ..k12k1223k23k.. .k...........k.. .k332222222233k.
kddddddddddddddk ...knnnnnnnnk... ..k123k223k3k... ................ ..k3333333333k..
kjjjjjjjjjjjjjjk ...kNNNNNNNNk... ...k33kkkk3k.... ................ ...kkkkkkkkkk...
kkkkkkkkkkkkkkkk ...kkkkkkkkkk... ....kkkkkkk..... ................ ................
slime            bat              big_bat          skeleton         mage
................ ................ ....k......k.... .....kkkkkk..... .......kk.......
................ ................ ....kk....kk.... ....kwwwwwwk.... ......k11k......
................ ................ k...k2kkkk2k...k ....kwwwwwwk.... ......k11k......
................ ................ kk..k122221k..kk ....kk4ww4kk.... .....k1221k.....
......kkkk...... .....kk..kk..... k2k.k222222k.k2k ....kkkwwkkk.... ....k122221k....
....kk1111kk.... .....k2kk2k..... k22kkyy22yykk22k ....kswwwwsk.... .kkk44444444kkk.
...k1w1221w1k... k....k2222k....k k12k2yk22ky2k21k .....kwkkwk..... k12222222222221k
..k1w122221w1k.. kk..kyk22kyk..kk k12222222222221k ..kkkkkkkkkkkk.. .kkkkkkkkkkkkkk.
.k112222222211k. k2kkk222222kkk2k k122222kk222221k .k22kwkwwkwk22k. ...kKyKKKKyKk...
.k12kk2222kk21k. k122222kk222221k k3222kwkkwk2223k .k2kkskkkkskk2k. ...kKKKKKKKKk...
k122kw2222wk221k k31222w22w22213k k3232k2kk2k2323k .kwkwwwwwwwwkwk. ..kkkKKkkKKkkk..
k122kk2222kk221k .k3k32222223k3k. k3k3322222233k3k .kwkkskkkkskkwk. .k12k222222k21k.
k122222kk222221k ..k.kk3333kk.k.. kk.kk333333kk.kk .kwkk222222kkwk. .k12k222222k21k.
k32222222222223k ......kkkk...... k..k..k33k..k..k ..k.k222222k.k.. .kekk223322kkek.
.k333333333333k. ................ .......kk....... ....kwk..kwk.... ...k12233221k...
..kkkkkkkkkkkk.. ................ ................ ....kwk..kwk.... ...kkkkkkkkkk...
knight           beast            rock             demon            ghost
.....kkkkkk..... .kk..........kk. ................ .kk..........kk. ................
....k122221k.... .k2k.kkkkkk.k2k. ....kkkkkkkk.... kwwk........kwwk ......kkkk......
...k12222221k... .k12k222222k21k. ...k11122111k... kwsk..kkkk..kswk ....kk1111kk....
...k12222221k... ..k1222222221k.. ...k11222211k... .kwsk.k22k.kswk. ...k11122111k...
...k33333333k... ...k22222222k... ...kkyk22kykk... ..kwskk22kkswk.. ...k12222221k...
...kK4KKKK4Kk... ...k1yk22ky1k... ...k22222222k... ...kk122221kk... ..k1222222221k..
...k12222221k... ...k12222221k... .kkkkkkkkkkkkkk. k...kyy22yyk...k ..k1kkk22kkk1k..
....k333333k.... ..kk22kkkk22kk.. k112k112211k211k kk..kky22ykk..kk ..k1kwk22kwk1k..
..kkkkkkkkkkkk.. .k2k2wwwwww2k2k. k122k122221k221k k3k.k222222k.k3k ..k1kkk22kkk1k..
.k12k122221k21k. k122kkkkkkkk221k k123k122221k321k k33kkwkwwkwkk33k .k122222222221k.
.k12k122221k21k. k12kk211112kk21k kkkkk123321kkkkk k33k1kkkkkk1k33k .k122244442221k.
.k33k122221k33k. k12kk211112kk21k k12kkkkkkkkkk21k k3k1212222121k3k .k122222222221k.
.kekk444444kkek. k22kk211112kk22k k23kk112211kk32k k3k1k211112k1k3k k12222222222221k
..kkk22kk22kkk.. kwkkk222222kkkwk kkkkk123321kkkkk k3k2k221122k2k3k k12322322322321k
....k12kk21k.... ...k122kk221k... ...k12233221k... kkkwk22kk22kwkkk k3k33k3333k33k3k
....kkkkkkkk.... ...kwwk..kwwk... ...kkkkkkkkkk... ....kkkkkkkk.... .k.kk.kkkk.kk.k.
hero             fairy            thief            princess         cross
....kkkkkkkk.... .....kkkkkk..... .....kkkkkk..... ....k.k..k.k.... .....kkkkkk.....
...knnnnnnnnk... ....kyyyyyyk.... ....kGGGGGGk.... ....kykyykyk.... .....kwyywk.....
..knnnnnnnnnnk.. ....kyeeeeyk.... ...kGGGGGGGGk... ....kyyyyyyk.... .....kyyyyk.....
..knnnnnnnnnnk.. ....keKeeKek.... ...kGGeeeeGGk... ...kyyyyyyyyk... .....kyyyyk.....
..knneeeeeennk.. kkk.keeeeeek.kkk ...kGeKeeKeGk... ...kyyeeeeyyk... .kkkkkyyyykkkkk.
..kneKeeeeKenk.. kcckkkeeeekkkcck ...kGkkkkkkGk... ...kyeKeeKeyk... .kwyyyyrryyyywk.
..kneKeeeeKenk.. kwccckkkkkkcccwk ...kGkddddkGk... ...kyeeeeeeyk... .kyyyyyrryyyyyk.
...keeeeeeeek... kwcck111111kccwk ..kkkkkkkkkkkk.. ...kykeeeekyk... .kooooyyyyooook.
...kkkkkkkkkk... .kcck122221kcck. .kGGkdGGGGdkGGk. ..kykkkkkkkkyk.. .kkkkkyyyykkkkk.
..k1222222221k.. ..kkk122221kkk.. .kGkkGdGGdGkkGk. ..kykwPPPPwkyk.. .....kyyyyk.....
.k122222222221k. .kwckekkkkekcwk. .kekkGGddGGkkek. ..kyekPPPPkeyk.. .....kyyyyk.....
.kek22222222kek. .kck.k1221k.kck. ..kkkNNNNNNkkk.. ...kkwPPPPwkk... .....kyyyyk.....
..kkyyyyyyyykk.. ..k.k122221k.k.. ...kGGGGGGGGk... ..kPPPPPPPPPPk.. .....kyyyyk.....
...k12222221k... ....k333333k.... ...kGGkkkkGGk... ..kPPPPPPPPPPk.. .....kooook.....
...kNNk..kNNk... .....kekkek..... ...kNNk..kNNk... .kPPPPPPPPPPPPk. .....kkkkkk.....
...kkkk..kkkk... .....kk..kk..... ...kkkk..kkkk... .kkkkkkkkkkkkkk. ................
compass          crown            plume            blade            guard
................ ....k.kkkk.k.... ......kkkk...... ................ ................
.....kkkkkk..... ...kykyyyykyk... .....krrrrk..... .............k.. ................
...kkyyyyyykk... ...kyykrrkyyk... ....krRrrRrk.... ............kwk. ................
..kyykkkkkkyyk.. ...kyyyyyyyyk... .....krrrrk..... ............kwk. ................
.kykkwwwwwwkkyk. ...kkkkkkkkkk... ......kkkk...... ............kwk. ................
.kykwwwwwwwwkyk. ................ ................ ............kwk. ................
kykwwwwwwwrrwkyk ................ ................ ............kwk. ................
kykwwwwwwrrwwkyk ................ ................ ............kwk. ................
kykwwwwkkrwwwkyk ................ ................ ............kwk. kkkkkkk.........
kykwwwbkkwwwwkyk ................ ................ ............kwk. kwsysgk.........
kykwwbbwwwwwwkyk ................ ................ ...........kyyyk kw4y4gk.........
.kykbbwwwwwwkyk. ................ ................ ............kNk. kyyyyyk.........
.kykkwwwwwwkkyk. ................ ................ ............kNk. ks4y4gk.........
..kyykkkkkkyyk.. ................ ................ ............kkk. .kgygk..........
...kkyyyyyykk... ................ ................ ................ ..kgk...........
.....kkkkkk..... ................ ................ ................ ...k............
staff            pip
................ kkk.............
................ kyk.............
.............k.. kkk.............
............k4k. ................
...........k4w4k ................
............k4k. ................
............kNk. ................
............kNk. ................
............kNk. ................
............kNk. ................
............kNk. ................
............kNk. ................
............kNk. ................
............kNk. ................
............kNk. ................
............kkk. ................
"""

# The printable characters from "!" to "~" in order, then the box.
_FONT = """
..#.. .#.#. .#.#. ..#.. ##... .##.. ..#.. ...#. .#... ..... ..... ..... ..... .....
..#.. .#.#. .#.#. .#### ##..# #..#. ..#.. ..#.. ..#.. ..#.. ..#.. ..... ..... .....
..#.. .#.#. ##### #.#.. ...#. #.#.. ..#.. .#... ...#. #.#.# ..#.. ..... ..... .....
..#.. ..... .#.#. .###. ..#.. .#... ..... .#... ...#. .###. ##### ..... ##### .....
..#.. ..... ##### ..#.# .#... #.#.# ..... .#... ...#. #.#.# ..#.. ..... ..... .....
..... ..... .#.#. ####. #..## #..#. ..... ..#.. ..#.. ..#.. ..#.. .##.. ..... .##..
..#.. ..... .#.#. ..#.. ...## .##.# ..... ...#. .#... ..... ..... ..#.. ..... .##..
..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .#... ..... .....
....# .###. ..#.. .###. ##### ...#. ##### ..##. ##### .###. .###. ..... ..... ...#.
....# #...# .##.. #...# ...#. ..##. #.... .#... ....# #...# #...# .##.. .##.. ..#..
...#. #..## ..#.. ....# ..#.. .#.#. ####. #.... ...#. #...# #...# .##.. .##.. .#...
..#.. #.#.# ..#.. ...#. ...#. #..#. ....# ####. ..#.. .###. .#### ..... ..... #....
.#... ##..# ..#.. ..#.. ....# ##### ....# #...# .#... #...# ....# .##.. .##.. .#...
#.... #...# ..#.. .#... #...# ...#. #...# #...# .#... #...# ...#. .##.. ..#.. ..#..
#.... .###. .###. ##### .###. ...#. .###. .###. .#... .###. .##.. ..... .#... ...#.
..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....
..... .#... .###. .###. .###. ####. .###. ###.. ##### ##### .###. #...# .###. ..###
..... ..#.. #...# #...# #...# #...# #...# #..#. #.... #.... #...# #...# ..#.. ...#.
##### ...#. ....# #.### #...# #...# #.... #...# #.... #.... #.... #...# ..#.. ...#.
..... ....# ...#. #.#.# ##### ####. #.... #...# ####. ####. #.### ##### ..#.. ...#.
##### ...#. ..#.. #.##. #...# #...# #.... #...# #.... #.... #...# #...# ..#.. ...#.
..... ..#.. ..... #.... #...# #...# #...# #..#. #.... #.... #...# #...# ..#.. #..#.
..... .#... ..#.. .###. #...# ####. .###. ###.. ##### #.... .#### #...# .###. .##..
..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....
#...# #.... #...# #...# .###. ####. .###. ####. .#### ##### #...# #...# #...# #...#
#..#. #.... ##.## #...# #...# #...# #...# #...# #.... ..#.. #...# #...# #...# #...#
#.#.. #.... #.#.# ##..# #...# #...# #...# #...# #.... ..#.. #...# #...# #...# .#.#.
##... #.... #.#.# #.#.# #...# ####. #...# ####. .###. ..#.. #...# #...# #.#.# ..#..
#.#.. #.... #...# #..## #...# #.... #.#.# #.#.. ....# ..#.. #...# #...# #.#.# .#.#.
#..#. #.... #...# #...# #...# #.... #..#. #..#. ....# ..#.. #...# .#.#. ##.## #...#
#...# ##### #...# #...# .###. #.... .##.# #...# ####. ..#.. .###. ..#.. #...# #...#
..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....
#...# ##### .###. #.... .###. ..#.. ..... .#... ..... #.... ..... ....# ..... ..##.
#...# ....# .#... #.... ...#. .#.#. ..... ..#.. ..... #.... ..... ....# ..... .#..#
.#.#. ...#. .#... .#... ...#. #...# ..... ..... .###. ####. .###. .#### .###. .#...
..#.. ..#.. .#... ..#.. ...#. ..... ..... ..... ....# #...# #.... #...# #...# ###..
..#.. .#... .#... ...#. ...#. ..... ..... ..... .#### #...# #.... #...# ##### .#...
..#.. #.... .#... ....# ...#. ..... ..... ..... #...# #...# #...# #...# #.... .#...
..#.. ##### .###. ....# .###. ..... ##### ..... .#### ####. .###. .#### .###. .#...
..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....
..... #.... ..#.. ...#. #.... .##.. ..... ..... ..... ..... ..... ..... ..... .#...
..... #.... ..... ..... #.... ..#.. ..... ..... ..... ..... ..... ..... ..... .#...
.#### ####. .##.. ..##. #..#. ..#.. ##.#. ####. .###. ####. .#### #.##. .#### ###..
#...# #...# ..#.. ...#. #.#.. ..#.. #.#.# #...# #...# #...# #...# ##..# #.... .#...
#...# #...# ..#.. ...#. ##... ..#.. #.#.# #...# #...# #...# #...# #.... .###. .#...
.#### #...# ..#.. ...#. #.#.. ..#.. #.#.# #...# #...# ####. .#### #.... ....# .#..#
....# #...# .###. #..#. #..#. .###. #.#.# #...# .###. #.... ....# #.... ####. ..##.
.###. ..... ..... .##.. ..... ..... ..... ..... ..... #.... ....# ..... ..... .....
..... ..... ..... ..... ..... ..... ..##. ..#.. .##.. ..... #####
..... ..... ..... ..... ..... ..... .#... ..#.. ...#. ..... #...#
#...# #...# #...# #...# #...# ##### .#... ..#.. ...#. .#... #...#
#...# #...# #...# .#.#. #...# ...#. #.... ..#.. ....# #.#.# #...#
#...# #...# #.#.# ..#.. #...# ..#.. .#... ..#.. ...#. ...#. #...#
#..## .#.#. #.#.# .#.#. .#### .#... .#... ..#.. ...#. ..... #...#
.##.# ..#.. .#.#. #...# ....# ##### ..##. ..#.. .##.. ..... #####
..... ..... ..... ..... .###. ..... ..... ..... ..... ..... .....
"""


def _blocks(text: str, width: int, height: int) -> list[list[str]]:
    """Cut a sheet into its sprites, row by row from the top left."""
    lines = text.strip("\n").split("\n")
    sprites: list[list[str]] = []
    for top in range(0, len(lines), height):
        band = lines[top : top + height]
        for left in range(0, len(band[-1]), width + 1):
            sprites.append([line[left : left + width].rstrip() for line in band])
    return sprites


_SPRITES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {name: tuple(rows) for name, *rows in _blocks(_SHEET, ART_SIZE, ART_SIZE + 1)}
)
_GLYPHS = _blocks(_FONT, GLYPH_WIDTH, GLYPH_HEIGHT)


def paint(
    canvas: NDArray[np.uint8],
    sprite: str,
    ramp: Ramp = RAMPS["grey"],
    accent: Colour = PALETTE["r"],
    shift: tuple[int, int] = (0, 0),
) -> None:
    """Draw a named sprite in place on a 16 x 16 x 3 canvas.

    Args:
        canvas: The picture to draw on.
        sprite: A name from the sheet.
        ramp: The light, main and dark shade that ``1 2 3`` stand for.
        accent: The colour that ``4`` stands for.
        shift: Pixels to move the sprite right and down; what leaves the canvas is cut.
    """
    own = dict(zip("1234", (*ramp, accent), strict=True))
    right, down = shift
    for y, row in enumerate(_SPRITES[sprite], start=down):
        for x, letter in enumerate(row, start=right):
            if letter != "." and 0 <= x < ART_SIZE and 0 <= y < ART_SIZE:
                canvas[y, x] = own.get(letter) or PALETTE[letter]


@cache
def glyph(char: str) -> NDArray[np.bool_]:
    """Return the 8 x 5 mask of a character, read-only; unknown ones are a box."""
    index = ord(char) - ord("!")
    known = 0 <= index < len(_GLYPHS) - 1
    rows = _GLYPHS[index if known else -1]
    mask = np.array([[dot == "#" for dot in row] for row in rows])
    if char == " ":
        mask[:] = False
    mask.flags.writeable = False
    return mask


def text_mask(text: str, scale: int) -> NDArray[np.bool_]:
    """Return the mask of one line of text, each glyph one dot apart from the next."""
    mask = np.zeros((GLYPH_HEIGHT, len(text) * (GLYPH_WIDTH + 1)), dtype=np.bool_)
    for place, char in enumerate(text):
        left = place * (GLYPH_WIDTH + 1)
        mask[:, left : left + GLYPH_WIDTH] = glyph(char)
    return mask.repeat(scale, axis=0).repeat(scale, axis=1)
