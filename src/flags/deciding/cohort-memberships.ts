import type { FilterAnswer } from '#filters/filter'
import { isByProperties, withNestedCohorts } from '../cohort-rules'
import type { FlagDefinitions } from '../definitions'
import type { Flag } from '../flag'

interface CohortMembershipsDependencies {
  definitions: FlagDefinitions
  /** Ids of all persons in a cohort. */
  members(projectId: number, cohort: string): Promise<ReadonlySet<string>>
  fail(error: unknown): void
}

/** Members of the cohorts that flags name and that properties do not decide, a few minutes old. */
export class CohortMemberships {
  private snapshot: ReadonlyMap<string, ReadonlySet<string>> = new Map()
  private reading: Promise<void> | undefined
  private isStale = false

  constructor(private readonly dependencies: CohortMembershipsDependencies) {
    // a flag that names another cohort must not wait for the next round
    dependencies.definitions.onChange((projectId) => {
      if (this.isMissing(projectId)) void this.refresh().catch((error: unknown) => dependencies.fail(error))
    })
  }

  /** Unknown until it was read for the first time. */
  isIn(projectId: number, cohort: string, personId: string): FilterAnswer {
    return this.snapshot.get(nameOf(projectId, cohort))?.has(personId) ?? 'unknown'
  }

  /** Reads all of them anew; where one cannot be read, what was read before stays. */
  async refresh(): Promise<void> {
    this.isStale = true
    this.reading ??= this.readUntilFresh().finally(() => (this.reading = undefined))
    await this.reading
  }

  /** A cohort that was named while the others were read is not among them. */
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
    const asked = this.dependencies.definitions.flagsOf(projectId).flatMap(cohortsNamedBy)
    return [...withNestedCohorts(asked, rules)].filter((id) => !isByProperties(rules.get(id)))
  }
}

const nameOf = (projectId: number, cohort: string): string => `${projectId} ${cohort}`

/** In any environment. */
const cohortsNamedBy = ({ environments }: Flag): string[] =>
  Object.values(environments)
    .flatMap(({ conditions }) => conditions)
    .flatMap(({ conditions }) => conditions)
    .flatMap((one) => (one.type === 'cohort' ? [one.cohort] : []))
