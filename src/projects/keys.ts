import { z } from 'zod'
import { isUniqueViolation, writeBestEffort, type Store } from '#store/store'
import type { World } from '#world/world'
import {
  isRight,
  type KeyViewer,
  type RequestOrigin,
  requireEvery,
  requireRecentPassword,
  requireRight,
  type Right,
  scopes as everyScope,
  type Viewer,
} from './access'
import { recordAudit } from './audit'
import { nameFor } from './name'
import { type Outcome, parseInput, failedOutcome } from './problems'
import { hashToken, newId, newSecretKey } from './secrets'
import { addSecretKey, findSecretKey, markKey, secretKeysOf } from './internal/stored-keys'

/** A program's credential in place of a sign-in. Only its hash is stored. */
export interface SecretKey {
  id: string
  projectId: number
  name: string
  lastFour: string
  scopes: readonly Right[] | 'every'
  createdBy: string
  createdAt: Date
  endsAt: Date | undefined
  usedAt: Date | undefined
  revokedAt: Date | undefined
}

export const newKey = z.object({
  name: nameFor('Name the key.'),
  scopes: z.union(
    [
      z.literal('every'),
      z
        .array(
          z.string().refine(isScope, {
            error: (issue) =>
              `There is no scope "${String(issue.input)}". Choose from ${everyScope.join(', ')}.`,
          }),
        )
        .min(1, 'Choose at least one scope.'),
    ],
    { error: 'Choose "every" or a list of scopes.' },
  ),
  /** The number of days until it expires; without it, it works until it is revoked. */
  days: z.coerce
    .number({ error: 'Give the days as a whole number.' })
    .int('Give the days as a whole number.')
    .min(1, 'Use at least a day.')
    .max(3650, 'Use at most 3650 days.')
    .optional(),
})
type NewKey = z.infer<typeof newKey>

function isScope(name: string): name is Right {
  return isRight(name) && everyScope.some((scope) => scope === name)
}

const day = 24 * 60 * 60_000
/** "Last used" is accurate to the minute, which avoids a write for every call. */
const noteUseEveryMs = 60_000

export class Keys {
  constructor(private readonly dependencies: { store: Store; world: World }) {}

  async list(projectId: number, viewer: Viewer): Promise<SecretKey[]> {
    requireRight('keys:read', projectId, viewer)
    return await secretKeysOf(this.dependencies.store, projectId)
  }

  /** `text` is shown once and not stored. */
  async create(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ key: SecretKey; text: string }>> {
    requireRight('keys:write', projectId, viewer)
    requireRecentPassword(viewer, this.dependencies.world.now())
    const parsed = parseInput(newKey, input)
    if (!parsed.done) return parsed
    requireEvery(parsed.value.scopes === 'every' ? everyScope : parsed.value.scopes, projectId, viewer)
    return await this.add(projectId, parsed.value, newSecretKey(this.dependencies.world), viewer)
  }

  /** Adds a key that the environment provides at the first start; it may be any long text. */
  async adopt(projectId: number, text: string, viewer: Viewer): Promise<void> {
    const known = await findSecretKey(this.dependencies.store, { hash: hashToken(text) })
    if (known) return
    try {
      await this.add(projectId, { name: 'From the environment', scopes: 'every' }, text, viewer)
    } catch (problem) {
      // another front that started at the same moment has added it
      if (!isUniqueViolation(problem)) throw problem
    }
  }

  async revoke(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('keys:write', projectId, viewer)
    requireRecentPassword(viewer, this.dependencies.world.now())
    const now = this.dependencies.world.now()
    return await this.dependencies.store.transaction(async (transaction) => {
      const key = await findSecretKey(transaction, { id })
      if (!key || key.projectId !== projectId) return failedOutcome('There is no such key in this project.')
      if (key.revokedAt) return failedOutcome('This key has been revoked already.')
      await markKey(transaction, id, { revokedAt: now })
      await transaction.announce('keys')
      await recordAudit(
        transaction,
        { action: 'key.revoke', subject: key.name, projectId, before: auditShape(key) },
        viewer,
        now,
      )
      return { done: true }
    })
  }

  /** Finds the viewer of a key. Returns undefined alike for an unknown, a revoked and an expired key. */
  async viewer(text: string, origin: RequestOrigin): Promise<KeyViewer | undefined> {
    const key = await findSecretKey(this.dependencies.store, { hash: hashToken(text) })
    const now = this.dependencies.world.now()
    if (!key || key.revokedAt || (key.endsAt && key.endsAt <= now)) return undefined
    await this.noteUsed(key, now)
    const held = key.scopes === 'every' ? everyScope : key.scopes
    return {
      kind: 'key',
      keyId: key.id,
      name: key.name,
      projectId: key.projectId,
      scopes: new Set(held),
      origin,
    }
  }

  private async add(
    projectId: number,
    { name, scopes, days }: NewKey,
    text: string,
    viewer: Viewer,
  ): Promise<{ done: true; key: SecretKey; text: string }> {
    const now = this.dependencies.world.now()
    const key: SecretKey = {
      id: newId(this.dependencies.world),
      projectId,
      name,
      lastFour: text.slice(-4),
      scopes,
      createdBy: viewer.name,
      createdAt: now,
      endsAt: days === undefined ? undefined : new Date(now.getTime() + days * day),
      usedAt: undefined,
      revokedAt: undefined,
    }
    await this.dependencies.store.transaction(async (transaction) => {
      await addSecretKey(transaction, key, hashToken(text))
      await transaction.announce('keys')
      await recordAudit(
        transaction,
        { action: 'key.create', subject: name, projectId, after: auditShape(key) },
        viewer,
        now,
      )
    })
    return { done: true, key, text }
  }

  private async noteUsed(key: SecretKey, now: Date): Promise<void> {
    if (key.usedAt && now.getTime() - key.usedAt.getTime() < noteUseEveryMs) return
    await writeBestEffort(markKey(this.dependencies.store, key.id, { usedAt: now }))
  }
}

const auditShape = ({ lastFour, scopes, endsAt }: SecretKey) => ({ lastFour, scopes, endsAt })
