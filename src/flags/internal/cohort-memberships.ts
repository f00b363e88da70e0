import type { FilterAnswer } from '#filters/filter'
import { isByProperties, withNestedCohorts } from './cohort-rules'
import type { FlagDefinitions } from '../definitions'
import type { Flag } from '../flag'

interface CohortMembershipsDependencies {
  definitions: FlagDefinitions
  /** Returns the ids of all persons in a cohort. */
  members(projectId: number, cohort: string): Promise<ReadonlySet<string>>
  fail(error: unknown): void
}

/** Caches the members of cohorts that flags use and that properties do not decide, for a few minutes. */
export class CohortMemberships {
  private snapshot: ReadonlyMap<string, ReadonlySet<string>> = new Map()
  private reading: Promise<void> | undefined
  private isStale = false

  constructor(private readonly dependencies: CohortMembershipsDependencies) {
    // a flag that uses another cohort must not wait for the next refresh
    dependencies.definitions.onChange((projectId) => {
      if (this.isMissing(projectId)) void this.refresh().catch((error: unknown) => dependencies.fail(error))
    })
  }

  /** Whether the person is in the cohort; 'unknown' before the first read. */
  isIn(projectId: number, cohort: string, personId: string): FilterAnswer {
    return this.snapshot.get(nameOf(projectId, cohort))?.has(personId) ?? 'unknown'
  }

  /** Reads all members again; if a cohort cannot be read, its previous members stay. */
  async refresh(): Promise<void> {
    this.isStale = true
    this.reading ??= this.readUntilFresh().finally(() => (this.reading = undefined))
    await this.reading
  }

  /** Repeats the read if flags use another cohort since it began. */
  private async readUntilFresh(): Promise<void> {
    while (this.isStale) {
      this.isStale = false
      await this.readAll()
    }
  }

  private async readAll(): Promise<void> {
    const next = new Map<string, ReadonlySet<string>>()
    for (const projectId of this.dependencies.definitions.projectIds()) {
      for (const cohort of this.cohortsNamed(projectId)) {
        const name = nameOf(projectId, cohort)
        const members = await this.membersOf(projectId, cohort)
        const known = members ?? this.snapshot.get(name)
        if (known) next.set(name, known)
      }
    }
    this.snapshot = next
  }

  private async membersOf(projectId: number, cohort: string): Promise<ReadonlySet<string> | undefined> {
    try {
      return await this.dependencies.members(projectId, cohort)
    } catch (error) {
      this.dependencies.fail(error)
      return undefined
    }
  }

  private isMissing(projectId: number): boolean {
    return this.cohortsNamed(projectId).some((cohort) => !this.snapshot.has(nameOf(projectId, cohort)))
  }

  private cohortsNamed(projectId: number): string[] {
    const rules = this.dependencies.definitions.cohortsOf(projectId)
    const lookups = this.dependencies.definitions.flagsOf(projectId).flatMap(cohortsNamedBy)
    return [...withNestedCohorts(lookups, rules)].filter((id) => !isByProperties(rules.get(id)))
  }
}

const nameOf = (projectId: number, cohort: string): string => `${projectId} ${cohort}`

/** The cohorts that a flag uses in any environment. */
const cohortsNamedBy = ({ environments }: Flag): string[] =>
  Object.values(environments)
    .flatMap(({ conditions }) => conditions)
    .flatMap(({ conditions }) => conditions)
    .flatMap((one) => (one.type === 'cohort' ? [one.cohort] : []))
