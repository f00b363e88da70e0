import type { StoreTransaction } from '#store/store'
import type { Viewer } from './access'
import { recordAudit } from './audit'
import type { Outcome } from './problems'
import type { Project } from './project'
import type { Projects } from './projects'
import { allProjects } from './store'
import { membershipsOf, setRole } from './internal/stored-members'

/** The parameters of a demo's generated data. */
export interface DemoStory {
  seed: string
  events: number
}

/** Marks a demo project. It is an alias that no tracker uses, and stays when the owner changes other settings. */
const demoMark = 'tilth-demo'

const nameOf = (slug: string, { seed, events }: DemoStory): string => [demoMark, slug, events, seed].join(':')

/** The story of a demo; undefined for a real project. */
export function storyOf({ aliases }: Pick<Project, 'aliases'>): DemoStory | undefined {
  const [, , events, seed] = aliases.find((alias) => alias.startsWith(`${demoMark}:`))?.split(':') ?? []
  return events === undefined || seed === undefined ? undefined : { seed, events: Number(events) }
}

/** Demos are left out of look-ups that do not name a project. */
export const isDemo = (project: Pick<Project, 'aliases'>): boolean => storyOf(project) !== undefined

/** The default project where none is named: the oldest live one, or the demo if there is no other. */
export function usualProject(all: readonly Project[]): Project | undefined {
  const live = all.filter(({ archivedAt }) => !archivedAt)
  return live.find((project) => !isDemo(project)) ?? live[0]
}

/** Every owner of a project also owns the demo, so that all can use it. */
export async function addDemo(
  projects: Projects,
  { story, ...projectInput }: { name: string; slug: string; timeZone: string; story: DemoStory },
  viewer: Viewer,
): Promise<Outcome<{ project: Project }>> {
  const aliases = [nameOf(projectInput.slug, story)]
  return await projects.changing(async (transaction) => {
    const added = await projects.add(transaction, { ...projectInput, aliases }, viewer)
    if (!added.done) return added
    const { id, createdAt } = added.project
    for (const memberId of await ownersOf(transaction))
      await setRole(transaction, id, memberId, 'owner', createdAt)
    await transaction.announce('members')
    return added
  })
}

async function ownersOf(transaction: StoreTransaction): Promise<ReadonlySet<string>> {
  const owners = new Set<string>()
  for (const { id } of await allProjects(transaction)) {
    const memberships = await membershipsOf(transaction, id)
    for (const { member, role } of memberships) if (role === 'owner') owners.add(member.id)
  }
  return owners
}

/** Part of set-up: adds the first owner to demos that were created before. */
export async function addToDemos(
  transaction: StoreTransaction,
  member: { id: string; email: string },
  viewer: Viewer,
  at: Date,
): Promise<void> {
  for (const demo of (await allProjects(transaction)).filter(isDemo)) {
    await setRole(transaction, demo.id, member.id, 'owner', at)
    const auditRecord = {
      action: 'member.join',
      subject: member.email,
      projectId: demo.id,
      after: { role: 'owner' },
    } as const
    await recordAudit(transaction, auditRecord, viewer, at)
  }
}
