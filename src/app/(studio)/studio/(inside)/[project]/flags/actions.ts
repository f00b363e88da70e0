'use server'

import type { Flag } from '../../../../../../flags/flag'
import type { Guard } from '../../../../../../flags/guard'
import type { Imported as Taken } from '../../../../../../flags/imported'
import { getProduct } from '../../../../../product'
import { requireViewer } from '../../../../../viewer'
import { type Answer, notDone, told } from '../../../../answer'
import { textIn } from '../../../../given'
import { answering, changingProject } from '../../../../refusals'
import { jsonIn } from '../people/question'
import { asking } from './asking'

export async function createFlag(slug: unknown, input: unknown): Promise<Answer<{ key: string }>> {
  const answer = await changingProject(slug, ({ flags }, projectId, viewer) =>
    flags.create(projectId, input, viewer),
  )
  return told(answer, ({ flag }) => ({ key: flag.key }))
}

export async function saveFlag(slug: unknown, key: unknown, input: unknown): Promise<Answer<{ flag: Flag }>> {
  return await changingProject(slug, ({ flags }, projectId, viewer) =>
    flags.change(projectId, textIn(key), input, viewer),
  )
}

/** As it stands now: asked where somebody else may have been faster. */
export async function newestFlag(slug: unknown, key: unknown): Promise<Answer<{ flag: Flag }>> {
  const viewer = await requireViewer()
  const { projects, flags } = getProduct()
  return await answering(async () => {
    const flag = await flags.find(projects.find(textIn(slug), viewer).id, textIn(key), viewer)
    return flag ? { done: true, flag } : notDone('There is no such flag in this project.')
  })
}

export async function turnFlag(
  slug: unknown,
  key: unknown,
  environment: unknown,
  isOn: unknown,
): Promise<Answer> {
  const answer = await changingProject(slug, ({ flags }, projectId, viewer) =>
    flags.turn(projectId, textIn(key), { environment, isOn }, viewer),
  )
  return told(answer, () => ({}))
}

/** One that code still asks for is archived only by somebody who insists. */
export async function archiveFlag(slug: unknown, key: unknown, insists: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ flags }, projectId, viewer) =>
    flags.archive(projectId, textIn(key), viewer, { anyway: insists === true }),
  )
  return told(answer, () => ({}))
}

export async function restoreFlag(slug: unknown, key: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ flags }, projectId, viewer) =>
    flags.restore(projectId, textIn(key), viewer),
  )
  return told(answer, () => ({}))
}

export async function revertFlag(slug: unknown, key: unknown, version: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ flags }, projectId, viewer) =>
    flags.revert(projectId, textIn(key), Number(version), viewer),
  )
  return told(answer, () => ({}))
}

export interface Imported extends Pick<Taken, 'created' | 'changed'> {
  refused: { key: string; why: string }[]
}

export async function importFlags(slug: unknown, text: unknown): Promise<Answer<Imported>> {
  const json = jsonIn(textIn(text))
  if (json === undefined) return notDone('This is not JSON. Paste what the API answered, as it is.')
  const answer = await changingProject(slug, ({ flags }, projectId, viewer) =>
    flags.importFrom(projectId, json, viewer),
  )
  return told(answer, ({ created, changed, refused }) => ({
    created,
    changed,
    refused: refused.map(({ key, problems }) => ({
      key,
      why: problems.map(({ message }) => message).join(' '),
    })),
  }))
}

/** The value that counts in the environment: its own, or everybody's. */
export async function revealSecret(
  slug: unknown,
  key: unknown,
  environment: unknown,
): Promise<Answer<{ value: string }>> {
  const viewer = await requireViewer()
  const { projects, flags } = getProduct()
  const answer = await answering(() =>
    flags.reveal(projects.find(textIn(slug), viewer).id, textIn(key), viewer),
  )
  return told(answer, ({ values }) => ({
    value: values.environments[textIn(environment)]?.['true'] ?? values.payloads['true'] ?? '',
  }))
}

export interface Fitting {
  matching: number
  of: number
  /** What could not be counted, a sentence each. With any, fewer may fit. */
  left: string[]
}

/** How many of the last 30 days' people conditions fit, be they saved or not. */
export async function countFitting(slug: unknown, conditions: unknown): Promise<Answer<Fitting>> {
  const viewer = await requireViewer()
  const { projects, flagNumbers } = getProduct()
  const answer = await asking(() =>
    flagNumbers.matching(projects.find(textIn(slug), viewer).id, { conditions }, viewer),
  )
  return told(answer, ({ matching: { matching, of, left } }) => ({ matching, of, left }))
}

export async function planFlag(slug: unknown, key: unknown, input: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ schedules }, projectId, viewer) =>
    schedules.create(projectId, textIn(key), input, viewer),
  )
  return told(answer, () => ({}))
}

export async function unplanFlag(slug: unknown, key: unknown, id: unknown): Promise<Answer> {
  return await changingProject(slug, ({ schedules }, projectId, viewer) =>
    schedules.remove(projectId, textIn(key), textIn(id), viewer),
  )
}

export async function beginGuard(slug: unknown, input: unknown): Promise<Answer<{ guard: Guard }>> {
  return await changingProject(slug, ({ guards }, projectId, viewer) =>
    guards.create(projectId, input, viewer),
  )
}

export async function stopGuard(slug: unknown, id: unknown, rollsBack: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ guards }, projectId, viewer) =>
    guards.stop(projectId, textIn(id), { rollsBack }, viewer),
  )
  return told(answer, () => ({}))
}

/** A link under which one browser gets what it says. */
export async function linkForTrying(
  slug: unknown,
  input: unknown,
): Promise<Answer<{ path: string; until: Date }>> {
  const viewer = await requireViewer()
  const { projects, tryingLinks } = getProduct()
  const answer = await answering(() =>
    tryingLinks.make(projects.find(textIn(slug), viewer).id, input, viewer),
  )
  return told(answer, ({ link }) => link)
}
