import { float, type Sql, sql } from '#engine/sql'

/** The aggregates of distinct persons. All kinds count persons by one of the two below, so an answer never has both. */
export interface DistinctCount {
  of: (who: Sql) => Sql
  where: (who: Sql, when: Sql) => Sql
  /** The same in two steps: a state for a small group of rows, and the number of several states. */
  state: (who: Sql, when: Sql) => Sql
  merged: (state: Sql) => Sql
}

/** Takes 82 bytes for each person. */
export const exactDistinct: DistinctCount = {
  of: (who) => sql`uniqExact(${who})`,
  where: (who, when) => sql`uniqExactIf(${who}, ${when})`,
  state: (who, when) => sql`uniqExactIfState(${who}, ${when})`,
  merged: (state) => sql`uniqExactIfMerge(${state})`,
}

/** The registers of the largest sketch that the engine has. They take 768 KB, however many persons are counted. */
const registers = 2 ** 20
/** Up to here the engine counts by empty registers, without a bias; above, by the HyperLogLog estimate. */
const linearUntil = 2.5 * registers

/**
 * Takes the bias of the engine's estimate back, which is 2.6 % at its worst and gone from six million on. The bias follows
 * from the definition of HyperLogLog alone: with n distinct values in m registers, the estimate is n * (1 + bias), and
 * log(bias) is a line of the estimate / m. `distinct.test.ts` computes it from the definition.
 */
export const biasLine = { at0: 0.8849, slope: -1.79866 }
const withoutBias = (estimate: Sql): Sql => sql`toUInt64(round(${estimate} / if(
  ${estimate} > ${float(linearUntil)},
  1 + exp(${float(biasLine.at0)} + ${float(biasLine.slope / registers)} * ${estimate}),
  1)))`

/** Takes a few megabytes for any number of persons. Its standard error is 0.1 %. */
export const approximateDistinct: DistinctCount = {
  of: (who) => withoutBias(sql`uniqCombined64(20)(${who})`),
  where: (who, when) => withoutBias(sql`uniqCombined64If(20)(${who}, ${when})`),
  state: (who, when) => sql`uniqCombined64IfState(20)(${who}, ${when})`,
  merged: (state) => withoutBias(sql`uniqCombined64IfMerge(20)(${state})`),
}

/** Returns the aggregate for the persons of one answer. */
export const distinctIn = ({ isApproximate }: { isApproximate?: boolean | undefined }): DistinctCount =>
  isApproximate ? approximateDistinct : exactDistinct
