import { z } from 'zod'
import type { Store, TableSource } from '#store/store'
import { openTables } from '#store/tables'
import type { World } from '#world/world'
import {
  type MemberViewer,
  AccessRefusedError,
  isProgram,
  requireRecentPassword,
  requireRight,
  type Viewer,
} from '../access'
import { recordAudit } from '../audit'
import { type Outcome, parseInput } from '../problems'
import { allProjects } from '../store'
import { ownsInstallation, requireInstallationOwner } from './installation-owner'

const open = openTables<{ signInRules: { scope: string; rules: unknown } }>({ json: ['rules'] })

/** The required second factors. */
interface SecondFactorRules {
  everywhere: boolean
  /** Projects that require one themselves. */
  projects: ReadonlySet<number>
}

const ruleInput = z.object({ requireSecondFactor: z.boolean() })

const installationScope = 'installation'
const projectScope = (projectId: number): string => `project ${projectId}`

export async function secondFactorRules(source: TableSource): Promise<SecondFactorRules> {
  const rows = await open(source).selectFrom('signInRules').selectAll().execute()
  const required = rows
    .filter(({ rules }) => ruleInput.safeParse(rules).data?.requireSecondFactor)
    .map(({ scope }) => scope)
  const projects = required.flatMap((scope) => /^project (\d+)$/.exec(scope)?.[1] ?? [])
  return { everywhere: required.includes(installationScope), projects: new Set(projects.map(Number)) }
}

/** Rules that require a second factor, of all members of the installation or of one project. */
export class SignInRules {
  constructor(private readonly dependencies: { store: Store; world: World }) {}

  async read(viewer: Viewer): Promise<{ requireSecondFactor: boolean }> {
    this.requireMayChange(viewer)
    return { requireSecondFactor: (await secondFactorRules(this.dependencies.store)).everywhere }
  }

  async change(input: unknown, viewer: Viewer): Promise<Outcome> {
    await requireInstallationOwner(this.dependencies.store, viewer)
    return await this.save(installationScope, 'this installation', undefined, input, viewer)
  }

  async ofProject(projectId: number, viewer: Viewer): Promise<{ requireSecondFactor: boolean }> {
    requireRight('members:read', projectId, viewer)
    const { projects } = await secondFactorRules(this.dependencies.store)
    return { requireSecondFactor: projects.has(projectId) }
  }

  async changeProject(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome> {
    requireRight('members:write', projectId, viewer)
    const all = await allProjects(this.dependencies.store)
    const name = all.find(({ id }) => id === projectId)?.name ?? String(projectId)
    return await this.save(projectScope(projectId), name, projectId, input, viewer)
  }

  /** The installation is managed by members who own all of its projects, and from the command line. */
  async mayChange(viewer: Viewer): Promise<boolean> {
    return await ownsInstallation(this.dependencies.store, viewer)
  }

  private async save(
    scope: string,
    subject: string,
    projectId: number | undefined,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome> {
    const now = this.dependencies.world.now()
    requireRecentPassword(viewer, now)
    const parsed = parseInput(ruleInput, input)
    if (!parsed.done) return parsed
    await this.dependencies.store.transaction(async (transaction) => {
      await saveRule(transaction, scope, parsed.value)
      await transaction.announce('sessions')
      const auditRecord = { action: 'sign-in-rules.change', subject, projectId, after: parsed.value } as const
      await recordAudit(transaction, auditRecord, viewer, now)
    })
    return { done: true }
  }

  private requireMayChange(viewer: Viewer): asserts viewer is Exclude<Viewer, { kind: 'key' | 'agent' }> {
    if (isProgram(viewer)) throw new AccessRefusedError('not-allowed', 'Only a signed-in member can do this.')
  }
}

/** Projects that are closed to a session until it has used a second factor. */
export function closedProjects(
  session: { hasSecondFactor: boolean },
  roles: MemberViewer['roles'],
  { everywhere, projects }: SecondFactorRules,
): ReadonlySet<number> {
  if (session.hasSecondFactor) return new Set()
  return new Set([...roles.keys()].filter((id) => everywhere || projects.has(id)))
}

async function saveRule(source: TableSource, scope: string, rules: object): Promise<void> {
  await open(source)
    .insertInto('signInRules')
    .values({ scope, rules })
    .onConflict((conflict) => conflict.column('scope').doUpdateSet({ rules }))
    .execute()
}
