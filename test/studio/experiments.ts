import { expect } from 'vitest'
import { anEvent, send } from './collecting'
import { askApi, type TestStudio } from './studio'

interface ResultsReport {
  variants: { units: number }[]
  metrics: { values: { value: number | null }[] }[]
}

/** Waits until the results of an experiment of Acme count so many people in each variant, and have these values. */
export async function untilCounted(
  studio: TestStudio,
  id: string,
  units: readonly number[],
  values?: readonly unknown[],
): Promise<void> {
  const counted = async () => {
    const path = `/projects/acme/experiments/${id}/results`
    const { report } = await askApi<{ report?: ResultsReport }>(studio, 'GET', path)
    return {
      units: report?.variants.map((variant) => variant.units),
      ...(values && { values: report?.metrics[0]?.values.map(({ value }) => value) }),
    }
  }
  await expect.poll(counted, { interval: 500 }).toEqual({ units, ...(values && { values }) })
}

/** A hundred people of each of two variants see the flag "checkout", and those of one variant an error. */
export async function meetCheckout(studio: TestStudio, failing: 'control' | 'new'): Promise<void> {
  const events = Array.from({ length: 200 }, (_, i) => {
    const variant = i % 2 === 0 ? 'control' : 'new'
    const person = { distinct_id: `person-${i}` }
    const properties = { $feature_flag: 'checkout', $feature_flag_response: variant }
    return [
      anEvent({ ...person, event: '$feature_flag_called', properties }),
      ...(variant === failing ? [anEvent({ ...person, event: '$exception' })] : []),
    ]
  }).flat()
  expect(await send(studio, events)).toBe(200)
}
