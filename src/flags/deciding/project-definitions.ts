import { hash } from 'node:crypto'
import type { CohortRules } from '../cohort-rules'
import type { CompiledFlags } from '../compile'
import type { Flag } from '../flag'

/** A project's definitions, and the flags compiled from them so far. */
export interface ProjectDefinitions {
  flags: readonly Flag[]
  byKey: ReadonlyMap<string, Flag>
  cohorts: CohortRules
  /** A hash that is equal for equal flags and cohorts, in every process. */
  fingerprint: string
  digests: ReadonlyMap<string, string>
  /** Compiled flags by environment. */
  compiled: Map<string, CompiledFlags>
}

/** Keeps the objects of unchanged flags, and with them everything compiled from them. */
export function projectWith(
  read: readonly Flag[],
  cohorts: CohortRules,
  before?: ProjectDefinitions,
): ProjectDefinitions {
  const digests = new Map(read.map((flag) => [flag.key, digestOf(flag)]))
  const flags = read.map((flag) =>
    before?.digests.get(flag.key) === digests.get(flag.key) ? (before?.byKey.get(flag.key) ?? flag) : flag,
  )
  return {
    flags,
    byKey: new Map(flags.map((flag) => [flag.key, flag])),
    cohorts,
    fingerprint: digestOf([[...digests.values()], [...cohorts]]),
    digests,
    compiled: new Map(),
  }
}

const digestOf = (value: unknown): string => hash('sha1', JSON.stringify(value), 'base64')

export const noDefinitions: ProjectDefinitions = projectWith([], new Map())
