/**
 * The words of coined names. Their order is part of every name: a word that is added, removed or moved renames visitors,
 * so the lists do not change (decision 0072).
 */
const wordsOf = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Friendly in front of each of the nouns, and about no one's looks, origin, age or wealth. */
export const adjectives = wordsOf(`
  able adept agile airy alert ample apt arctic artful autumn avid balmy beaming bold bonny brisk bubbly busy
  calm caring cheerful chipper classic clear clever cloudy coastal comfy cordial cosmic cosy crafty creative
  crisp curious dainty dapper daring dashing dawn deft devoted dewy diligent dreamy dulcet eager early earnest
  elated elegant epic expert fabled fair faithful famous festive fine fleet fluent fond frank free fresh
  friendly frosty gallant generous genial gentle gifted glad gleaming glowing graceful gracious grand grateful
  happy hardy harmonic hearty helpful heroic honest hopeful humble inventive jaunty jolly jovial joyful joyous
  jubilant keen kind kindly knowing lasting leafy learned lively lofty logical loyal lucid lucky luminous lunar
  magic magnetic majestic marble mellow merry mighty mindful modest musical neat nifty nimble noble northern
  notable novel oaken orderly patient peaceful peppy perky placid playful pleasant plucky poetic poised polished
  prompt proud prudent quick quiet radiant rapid regal relaxed robust rustic sage scenic serene sharp shiny
  silent sincere skilful smart snug social solar solid spirited sprightly spry stalwart starry steady stellar
  sterling suave subtle sunlit sunny super sure tactful tidy timely tranquil trusty truthful upbeat upright
  valiant velvet vibrant vital vivid warm watchful winning wise wistful witty woodland zesty zippy
`)

/** Animals, plants, instruments and places. */
export const nouns = wordsOf(`
  acorn agave albatross alder almond aloe alpaca amaranth anchor anemone antelope apple apricot argali armadillo
  artichoke ash aspen aster atlas auk aurora avocet badger balsam bamboo banjo barley basil bay beech begonia
  bell bergamot bilby birch bison bittern blossom bluebell bluejay boat bobcat bongo bonsai borage bramble brook
  bugle bumblebee bunting butterfly buzzard cactus camel camellia canoe canyon caracal caravel cardamom cardinal
  caribou cascade cassia cassowary catalpa cedar celesta chamois cheetah chestnut chickadee chicory chime
  chinchilla chipmunk cicada clarinet clavier clematis clover coati colibri comet compass condor coral cormorant
  corncrake cornet cosmos cowslip crane cricket crocus curlew cutter cyclamen cymbal cypress dahlia daisy damson
  dandelion dingo dipper dolphin dormouse dove dragonfly drum dulcimer dune dunlin eagle echidna egret eider
  elder elk elm ember ermine estuary falcon fern ferret fiddle finch fir firefly fjord flamingo flax flute
  forest fountain foxglove freesia frigate fuchsia fulmar galaxy galleon gannet gardenia garnet gazelle gecko
  gentian geranium ginger ginkgo glacier gladiolus glider goldfinch gondola gong goose goshawk grebe greenfinch
  grosbeak grove guava guitar harbor hare harmonica harp harrier hawk hawthorn hazel hazelnut heather hedgehog
  heron hibiscus hickory hollyhock hoopoe hornbill hummingbird hyacinth hydrangea ibex ibis iguana impala iris
  island ivy jacana jackdaw jasmine jerboa juniper kangaroo kayak kestrel kettledrum kingfisher kinglet kite
  kiwi koala kookaburra koto kudu kumquat lantern lapwing larch lark larkspur laurel lavender lemon lemur
  leopard lighthouse lilac lily linden linnet lotus lupin lute lynx lyre magnolia magpie mallard mallow mandolin
  mango maple maracas marigold marimba marlin marmot meadow medlar meerkat melody merlin meteor mimosa mistletoe
  mockingbird mongoose moonstone moorhen moth mulberry myrtle narwhal nectarine nightingale numbat nuthatch
  oasis oboe ocelot okapi olive opal orca orchid oriole osprey otter panda parakeet parsley partridge pear
  pebble pelican penguin peony peregrine persimmon petrel petunia pheasant piano piccolo pika pine pipit
  pistachio plover plum pomelo poplar poppy porcupine porpoise primrose puffin puma quail quetzal quince quokka
  rabbit raven redstart redwood reed reedling reef river robin rocket rose rosemary rowan ruby salmon samphire
  sandpiper sapphire saxophone schooner seahorse sequoia serval shearwater siskin sitar skylark snipe snowdrop
  sorrel sparrow spinet spruce squirrel starfish starling stork summit sunflower swan swift sycamore tamarind
  tambourine tanager tapir tarragon tern thistle thrush thyme tiger timpani topaz toucan trillium trombone
  trumpet tulip turaco turnstone turtle ukulele valley vanilla veery verbena viola violet violin vireo vole
  wagtail walnut warbler waterfall waxwing willet windmill wisteria wolf wombat woodlark wren xylophone yarrow
  yew zebra zephyr zither
`)
