import { type Sql, sql } from '#engine/sql'

const digits: ReadonlyMap<string, Sql> = new Map([
  ['0', sql`0`],
  ['1', sql`1`],
  ['2', sql`2`],
  ['3', sql`3`],
  ['4', sql`4`],
  ['5', sql`5`],
  ['6', sql`6`],
  ['7', sql`7`],
  ['8', sql`8`],
  ['9', sql`9`],
])

/**
 * Formats a non-negative whole number within a statement. A funnel of twenty steps has more than a thousand of them,
 * and the engine accepts fewer parameters. It consists of digits only.
 */
export const numeral = (value: number | bigint): Sql =>
  sql.join(
    Array.from(String(BigInt(value)), (digit) => {
      const known = digits.get(digit)
      if (!known) throw new RangeError(`${value} is below zero.`)
      return known
    }),
    sql``,
  )
