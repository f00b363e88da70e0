import type { StoreTransaction } from '../store/store'
import type { Viewer } from './access'
import { record } from './audit'
import type { Outcome } from './problems'
import type { Project } from './project'
import type { Projects } from './projects'
import { allProjects, membershipsOf, setRole } from './store'

/** Which story a demo tells. */
export interface DemoStory {
  seed: string
  events: number
}

/** What a demo is told by, wherever its owner moves it: a name that no tracker knows it under. */
const mark = 'tilth-demo'

const nameOf = (slug: string, { seed, events }: DemoStory): string => [mark, slug, events, seed].join(':')

/** The story of a demo; undefined for a project of somebody's own. */
export function storyOf({ aliases }: Pick<Project, 'aliases'>): DemoStory | undefined {
  const [, , events, seed] = aliases.find((alias) => alias.startsWith(`${mark}:`))?.split(':') ?? []
  return events === undefined || seed === undefined ? undefined : { seed, events: Number(events) }
}

/** A demo is nobody's site: it is never meant where a project was not named. */
export const isDemo = (project: Pick<Project, 'aliases'>): boolean => storyOf(project) !== undefined

/** Whoever owns a project on this installation owns the demo, too: it is there to be played with. */
export async function addDemo(
  projects: Projects,
  { story, ...wanted }: { name: string; slug: string; timeZone: string; story: DemoStory },
  viewer: Viewer,
): Promise<Outcome<{ project: Project }>> {
  const aliases = [nameOf(wanted.slug, story)]
  return await projects.changing(async (transaction) => {
    const added = await projects.add(transaction, { ...wanted, aliases }, viewer)
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

/** Part of set-up: demos that were there before anybody was. */
export async function giveDemos(
  transaction: StoreTransaction,
  member: { id: string; email: string },
  viewer: Viewer,
  at: Date,
): Promise<void> {
  for (const demo of (await allProjects(transaction)).filter(isDemo)) {
    await setRole(transaction, demo.id, member.id, 'owner', at)
    const deed = {
      action: 'member.join',
      subject: member.email,
      projectId: demo.id,
      after: { role: 'owner' },
    } as const
    await record(transaction, deed, viewer, at)
  }
}
