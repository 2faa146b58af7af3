"""The 256 words of join codes: two of them are 16 bits.

Short, common, easy to type, each told from all others by its first three letters, and no two a
single slip of the finger apart.
"""

from typing import Final

_WORDS: Final = """
acorn amber anchor apple april arrow aspen atlas autumn avenue badge bagel banjo barn basil
beetle bell bench berry bishop board bottle branch bread brick broom bubble bucket butter
cabin camel canal cargo cedar cello chalk cider circus clover cobalt coffee comet copper coral
cotton crayon crown cuckoo daisy dancer desert diner domino donkey dragon drum dune eagle
easel echo elbow elm engine envoy falcon fern fiddle fig finch fjord flag flute forest fossil
fox friday frost fudge galaxy garden geyser giant ginger glove goose guitar gull hammer harbor
hawk hazel hedge helmet heron hippo hockey honey hotel husky igloo indigo island ivory jacket
jaguar jigsaw juice jumbo jungle kayak kennel kiosk kitten kiwi koala ladder lagoon laser
lemon lilac lion lizard locket lotus lunar lynx magnet mango maple marble meadow melon meteor
mint mirror mosaic motor muffin museum napkin nectar needle nephew nickel north nugget nutmeg
oasis oboe ocean olive onion opera orange orbit orchid osprey otter oxygen oyster pajama panda
peach pebble pepper piano pickle pigeon pilot pine pirate planet plum polar poppy portal
potato prism puzzle python quail queen quiver rabbit radar raisin raven recipe reef ribbon
river robin rumba sandal saturn scarf shadow silver sketch skunk snow socks sofa soup spade
sphinx spoon squid stone summer sunday swan syrup table teapot temple tennis tiger timber
toast tomato topaz torch tuba tulip tundra turtle twig urchin valley velvet venus violin visor
waffle wagon walnut water whale wicker willow window wolf wren yacht yellow yeti yogurt yonder
zebra zenith zephyr zigzag zinnia zipper zodiac
"""

CODE_WORDS: Final = tuple(_WORDS.split())
"""In alphabetical order."""
