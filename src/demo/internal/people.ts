import type { SeededRandom } from './seeded-random'

const firstNames = words(`
  Ada Amara Amir Ana Anders Aoife Arjun Aya Ben Bruno Camila Chen Chiara Chloe Clara Daan David Diego Elena Elif Emil
  Emma Farah Felix Finn Freya Gabriel Grace Hana Hugo Ines Ingrid Isla Ivan Jakub Jana Jonas Julia Kai Kenji Lars Laura
  Leila Leo Lena Liam Lucia Lukas Mai Marco Maria Mateo Maya Mila Mina Nadia Nia Nina Noah Noor Olga Oliver Omar Otto
  Paula Priya Rafael Ravi Rosa Ruth Sam Sara Sofia Stefan Tariq Theo Tomas Uma Vera Victor Yara Yuki Zoe
`)
const lastNames = words(`
  Abe Adeyemi Almeida Andersen Baker Becker Berg Bianchi Bosch Castro Chen Costa Dahl Demir Diaz Dubois Evans Fischer
  Garcia Gomez Haas Hansen Hoang Hughes Ito Ivanova Jansen Jensen Kaya Keller Khan Kim Klein Kowalski Kumar Larsen Levy
  Lind Lopez Marin Martin Meyer Moreau Murphy Nagy Nakamura Novak Okafor Olsen Park Patel Pereira Petrov Quinn Rao
  Reid Ricci Roy Rossi Sato Schmidt Shah Silva Singh Smit Suzuki Tanaka Taylor Torres Vega Virtanen Wagner Walsh Weber
  Wolf Wong Yilmaz Young Zhang
`)
const companyNames = words(`
  Alder Amber Anchor Arrow Aspen Atlas Beacon Birch Bramble Brook Cedar Cinder Cliff Cobalt Comet Coral Crane Delta
  Dune Ember Falcon Fern Fjord Flint Garnet Glade Granite Harbor Hazel Heron Indigo Iris Ivory Juniper Kestrel Lantern
  Larch Linden Lumen Maple Meadow Mosaic Nimbus North Oak Olive Onyx Orchard Osprey Pebble Poplar Quartz Quill Raven
  Ridge River Rowan Saffron Sage Slate Sparrow Spruce Stone Summit Thistle Timber Topaz Tulip Umber Vale Velvet Violet
  Walnut Willow Wren Yarrow Zephyr
`)
const companyEndings = words(
  'Labs Studio Works Partners Foods Health Media Systems Logistics Design Energy Legal',
)
const roles = words('founder manager engineer designer marketer operations')

function words(list: string): readonly [string, ...string[]] {
  const [first = '', ...others] = list.trim().split(/\s+/)
  return [first, ...others]
}

export interface DemoCompany {
  key: string
  name: string
  domain: string
  country: string
  industry: string
  plan: DemoPlan
  seats: number
}

type DemoPlan = 'free' | 'team' | 'business'

/** The monthly price of a seat in euros. */
export const seatPrice: Readonly<Record<DemoPlan, number>> = { free: 0, team: 9, business: 19 }

const industries = words('software agency retail education health finance nonprofit manufacturing')

export function newCompany(country: string, random: SeededRandom): DemoCompany {
  const [name, ending] = [random.pick(companyNames), random.pick(companyEndings)]
  return {
    key: `cmp_${random.letters(8)}`,
    name: `${name} ${ending}`,
    domain: `${name}-${ending}.example`.toLowerCase(),
    country,
    industry: random.pick(industries),
    plan: 'free',
    seats: 1,
  }
}

export interface DemoPerson {
  userId: string
  name: string
  email: string
  role: string
}

/** Creates a person; a number in the address distinguishes namesakes. */
export function newPerson(domain: string, random: SeededRandom): DemoPerson {
  const [first, last] = [random.pick(firstNames), random.pick(lastNames)]
  const email = `${first}.${last}${random.whole(1, 99)}@${domain}`.toLowerCase()
  return { userId: `usr_${random.letters(10)}`, name: `${first} ${last}`, email, role: random.pick(roles) }
}
