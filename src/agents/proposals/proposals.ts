import { z } from 'zod'
import { AccessRefusedError, may, requireEvery, requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import type { AuditAction } from '#projects/audit-actions'
import { failedOutcome, missingOutcome, type Outcome, parseInput } from '#projects/problems'
import { newId } from '#projects/secrets'
import type { Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import type {
  ChangeCall,
  ChangePreview,
  ChangingServices,
  ProposableChange,
} from './internal/proposable-change'
import { changeNamed } from './internal/proposable-changes'
import {
  countOpen,
  type ProposalEnding,
  decide,
  dropOldest,
  insertProposal,
  proposalNumbered,
  proposalsOf,
  reopen,
  saveResult,
  type StoredProposal,
} from './internal/stored-proposals'
import { openForDays, type Proposal, type ProposalState } from './proposal'

interface ProposalsDependencies {
  store: Store
  world: World
  services: ChangingServices
}

/** More wait than a person would read. */
const mostOpen = 100
const mostKept = 1000
const mostListed = 500
const longestInput = 200_000

/** The outcome of a request of an assistant: a proposal, or the change itself where none needs to be asked. */
export type ChangeRequestOutcome =
  | { done: true; made: false; proposal: Proposal }
  | { done: true; made: true; preview: ChangePreview; path: string }
  | ReturnType<typeof failedOutcome>

/** A proposal as the member sees who decides on it. */
export interface ProposalToDecide {
  proposal: Proposal
  /** Why it cannot be approved any more. */
  hindrance: string | undefined
}

const missing = missingOutcome('There is no such proposal in this project.')
const changedMeanwhile =
  'It was changed after this was proposed. Refuse the proposal; the assistant can read it again and propose it once more.'

const refusalInput = z.strictObject({
  reason: z.string().trim().max(1000, 'Use at most 1000 characters for the reason.').default(''),
})

/** Changes that assistants propose and members decide on. The product's own methods make them. */
export class Proposals {
  constructor(private readonly dependencies: ProposalsDependencies) {}

  /**
   * Proposes a change. It is made at once where the viewer has the right to it as well, unless it is one of those that
   * always ask.
   */
  async request(
    projectId: number,
    name: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<ChangeRequestOutcome> {
    requireRight('proposals:write', projectId, viewer)
    const change = changeNamed(name)
    if (!change) return failedOutcome('There is no such change.')
    requireEvery(change.reads, projectId, viewer)
    const parsed = parseInput(change.input, input)
    if (!parsed.done) return parsed
    const call = this.callOf(projectId, parsed.value, viewer)
    const outcome = await change.preview(call)
    if (!outcome.done) return outcome
    const { preview } = outcome
    if (change.alwaysAsks(call.input) || !may(change.right, projectId, viewer))
      return await this.propose(change, call, preview)
    const made = await change.make({ ...call, version: preview.version })
    return made.done ? { done: true, made: true, preview, path: made.path } : made
  }

  /** Returns the proposals whose things the viewer may see, the latest first. */
  async list(
    projectId: number,
    viewer: Viewer,
    { state, thing }: { state?: ProposalState | undefined; thing?: string | undefined } = {},
  ): Promise<Proposal[]> {
    requireRight('project:read', projectId, viewer)
    const all = await proposalsOf(this.dependencies.store, projectId, this.now(), mostListed)
    return all
      .filter((one) => mayRead(one, viewer))
      .filter((one) => state === undefined || one.state === state)
      .filter((one) => thing === undefined || one.thing === thing)
      .map(shown)
  }

  async find(projectId: number, id: string, viewer: Viewer): Promise<ProposalToDecide | undefined> {
    requireRight('project:read', projectId, viewer)
    const found = await this.stored(projectId, id, viewer)
    if (!found) return undefined
    return { proposal: shown(found), hindrance: await this.hindranceOf(found, viewer) }
  }

  /** Counts the open proposals of each project that the viewer belongs to. */
  async openCounts(projectIds: readonly number[], viewer: Viewer): Promise<ReadonlyMap<number, number>> {
    const own = projectIds.filter((id) => may('project:read', id, viewer))
    return await countOpen(this.dependencies.store, own, this.now())
  }

  /** Makes the change with the rights of the viewer, who is a person. Two approvals at once make it once. */
  async approve(projectId: number, id: string, viewer: Viewer): Promise<Outcome<{ path: string }>> {
    requireDecider(projectId, viewer)
    const found = await this.stored(projectId, id, viewer)
    if (!found) return missing
    if (found.state !== 'open') return decidedAlready(found)
    const change = changeNamed(found.change)
    if (!change) return failedOutcome('This Tilth knows no such change.')
    requireRight(change.right, projectId, viewer)
    const hindrance = await this.hindranceOf(found, viewer)
    if (hindrance !== undefined) return failedOutcome(hindrance)
    const parsed = parseInput(change.input, found.input)
    if (!parsed.done) return parsed
    const isFirst = await this.decide(found, { state: 'approved', refusal: undefined }, viewer)
    if (!isFirst) return decidedAlready({ state: 'approved' })
    const call = this.callOf(projectId, parsed.value, namingProposer(viewer, found))
    return await this.makeApproved(found, change, call, viewer)
  }

  async refuse(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<Outcome> {
    requireDecider(projectId, viewer)
    const parsed = parseInput(refusalInput, input)
    if (!parsed.done) return parsed
    const refusal = parsed.value.reason || undefined
    return await this.close(projectId, id, { state: 'refused', refusal }, viewer)
  }

  /** Takes back a proposal. Only who proposed it can. */
  async withdraw(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('proposals:write', projectId, viewer)
    const found = await this.stored(projectId, id, viewer)
    if (found && found.proposer !== proposerOf(viewer))
      return failedOutcome('It was proposed by another assistant. A member can refuse it in the studio.')
    return await this.close(projectId, id, { state: 'withdrawn', refusal: undefined }, viewer)
  }

  private async propose(
    { name, input: schema }: ProposableChange,
    { projectId, viewer, input }: ChangeCall,
    preview: ChangePreview,
  ): Promise<ChangeRequestOutcome> {
    const { store, world } = this.dependencies
    const text = JSON.stringify(input)
    if (text.length > longestInput)
      return failedOutcome(`A proposal has at most ${longestInput.toLocaleString('en')} characters.`)
    const reason = input['reason']
    const proposal: StoredProposal = {
      id: newId(world),
      projectId,
      change: name,
      input: schema.parse(JSON.parse(text)),
      ...preview,
      reason: typeof reason === 'string' ? reason : '',
      proposer: proposerOf(viewer),
      proposedBy: viewer.name,
      proposedAt: world.now(),
      state: 'open',
      decidedBy: undefined,
      decidedAt: undefined,
      refusal: undefined,
      result: undefined,
    }
    return await store.transaction(async (transaction): Promise<ChangeRequestOutcome> => {
      const open = (await countOpen(transaction, [projectId], world.now())).get(projectId) ?? 0
      if (open >= mostOpen) return tooMany
      await insertProposal(transaction, proposal)
      await dropOldest(transaction, projectId, mostKept, world.now())
      await this.audit(transaction, 'proposal.create', proposal, viewer)
      return { done: true, made: false, proposal: shown(proposal) }
    })
  }

  private async makeApproved(
    found: StoredProposal,
    change: ProposableChange,
    call: ChangeCall,
    viewer: Viewer,
  ): Promise<Outcome<{ path: string }>> {
    const { store } = this.dependencies
    let made: Outcome<{ path: string }> | undefined
    try {
      made = await change.make({ ...call, version: found.version })
    } finally {
      if (!made?.done) await reopen(store, found)
    }
    if (!made.done) return failedBy(await this.hindranceOf(found, viewer)) ?? made
    const { path } = made
    await store.transaction(async (transaction) => {
      await saveResult(transaction, found, path)
      await this.audit(transaction, 'proposal.approve', found, viewer)
    })
    return { done: true, path }
  }

  private async close(
    projectId: number,
    id: string,
    decision: Pick<ProposalEnding, 'state' | 'refusal'>,
    viewer: Viewer,
  ): Promise<Outcome> {
    const found = await this.stored(projectId, id, viewer)
    if (!found) return missing
    if (found.state !== 'open') return decidedAlready(found)
    return (await this.decide(found, decision, viewer))
      ? { done: true }
      : decidedAlready({ state: 'approved' })
  }

  /** An approval is in the audit log once its change is made. */
  private async decide(
    found: StoredProposal,
    decision: Pick<ProposalEnding, 'state' | 'refusal'>,
    viewer: Viewer,
  ): Promise<boolean> {
    const made = { ...decision, decidedBy: viewer.name, decidedAt: this.now() }
    return await this.dependencies.store.transaction(async (transaction) => {
      const isFirst = await decide(transaction, found, made)
      const action = closingActions[decision.state]
      if (isFirst && action) await this.audit(transaction, action, found, viewer)
      return isFirst
    })
  }

  /** Why an open proposal cannot be approved: its thing was changed, or the change cannot be made any more. */
  private async hindranceOf(found: StoredProposal, viewer: Viewer): Promise<string | undefined> {
    const change = changeNamed(found.change)
    if (found.state !== 'open' || !change) return undefined
    const parsed = parseInput(change.input, found.input)
    const outcome = parsed.done
      ? await change.preview(this.callOf(found.projectId, parsed.value, viewer))
      : parsed
    if (!outcome.done) return outcome.problems.map(({ message }) => message).join(' ')
    return outcome.preview.version === found.version ? undefined : changedMeanwhile
  }

  private async stored(projectId: number, id: string, viewer: Viewer): Promise<StoredProposal | undefined> {
    const found = await proposalNumbered(this.dependencies.store, projectId, id, this.now())
    return found && mayRead(found, viewer) ? found : undefined
  }

  private async audit(
    transaction: StoreTransaction,
    action: AuditAction,
    { projectId, sentence: subject, change, lines, proposedBy }: StoredProposal,
    viewer: Viewer,
  ): Promise<void> {
    const after = { change, lines, proposedBy }
    await recordAudit(transaction, { action, projectId, subject, after }, viewer, this.now())
  }

  private callOf(projectId: number, input: Record<string, unknown>, viewer: Viewer): ChangeCall {
    return { services: this.dependencies.services, projectId, viewer, input }
  }

  private now(): Date {
    return this.dependencies.world.now()
  }
}

const closingActions: Partial<Record<ProposalState, AuditAction>> = {
  refused: 'proposal.refuse',
  withdrawn: 'proposal.withdraw',
}

const failedBy = (hindrance: string | undefined) =>
  hindrance === undefined ? undefined : failedOutcome(hindrance)

const tooMany = failedOutcome(
  `${mostOpen} proposals are open already. Wait for a person to decide, or withdraw some.`,
)

const endings: Record<ProposalState, string> = {
  open: 'is open',
  approved: 'was approved already',
  refused: 'was refused already',
  withdrawn: 'was withdrawn',
  expired: `has expired: it was open for ${openForDays} days`,
}

const decidedAlready = ({ state }: Pick<Proposal, 'state'>) =>
  failedOutcome(`The proposal ${endings[state]}.`)

const shown = ({ input: _input, proposer: _proposer, ...proposal }: StoredProposal): Proposal => proposal

const mayRead = ({ change, projectId }: StoredProposal, viewer: Viewer): boolean =>
  (changeNamed(change)?.reads ?? []).every((right) => may(right, projectId, viewer))

/** Only a person decides: a key that may propose must not approve what it proposed. */
function requireDecider(projectId: number, viewer: Viewer): void {
  requireRight('proposals:write', projectId, viewer)
  if (viewer.kind === 'member' || viewer.kind === 'operator') return
  throw new AccessRefusedError('not-allowed', 'A person decides on proposals, in the studio.')
}

function proposerOf(viewer: Viewer): string {
  if (viewer.kind === 'agent') return viewer.connectionId
  if ('keyId' in viewer) return viewer.keyId
  return 'memberId' in viewer ? viewer.memberId : viewer.kind
}

/** The history of a thing and the audit log name the member, and who proposed the change. */
const namingProposer = (viewer: Viewer, { proposedBy }: StoredProposal): Viewer => ({
  ...viewer,
  name: `${viewer.name} (proposed by ${proposedBy})`,
})
