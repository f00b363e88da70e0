import { expect, test } from 'vitest'
import { experimentsFilterIn, filterExperiments } from './list-filter'

const at = new Date('2026-03-01T10:00:00Z')
const listed = (name: string, dates: { startedAt?: Date; endedAt?: Date; archivedAt?: Date } = {}) => ({
  name,
  hypothesis: `More of ${name}`,
  flag: `${name.toLowerCase()}-flag`,
  notes: `Learned: ${name.length} letters`,
  startedAt: undefined,
  endedAt: undefined,
  archivedAt: undefined,
  ...dates,
})
const experiments = [
  listed('Checkout', { startedAt: at }),
  listed('Pricing'),
  listed('Header', { startedAt: at, endedAt: at }),
  listed('Old', { startedAt: at, endedAt: at, archivedAt: at }),
]

test.each([
  ['', ['Checkout', 'Pricing', 'Header']],
  ['status=running', ['Checkout']],
  ['status=draft', ['Pricing']],
  ['status=ended', ['Header']],
  ['status=archived', ['Old']],
  ['search=pricing-flag', ['Pricing']],
  ['search=more+of+h', ['Header']],
  ['search=learned%3A+8', ['Checkout']],
  ['status=anything', ['Checkout', 'Pricing', 'Header']],
])('the address %j lists %j', (search, names) => {
  const filter = experimentsFilterIn(Object.fromEntries(new URLSearchParams(search)))
  expect(filterExperiments(experiments, filter).map(({ name }) => name)).toEqual(names)
})
