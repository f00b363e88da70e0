import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { type Flag, mainEnvironment } from '#flags/flag'
import { flagKeyIn } from '#flags/flag-address'
import { getProduct } from '#studio/product'
import { type Opened, openProject, whyNot } from '#studio/parts/open-project'
import { type SearchParams, textOf } from '#studio/search-params'

export type FlagParams = Promise<{ project: string; flag: string }>

export interface OpenedFlag extends Opened {
  flag: Flag
  /** The environment on the page. */
  environment: string
  environments: readonly string[]
  /** Why it cannot be changed by this viewer, or at all. */
  whyNot: string | undefined
}

const found = cache(async (slug: string, part: string) => {
  const opened = await openProject(slug)
  const flag = await getProduct().flags.find(opened.project.id, flagKeyIn(part), opened.viewer)
  if (!flag) notFound()
  return { ...opened, flag }
})

/** Finds the flag and the environment that an address names. */
export async function openFlag(params: FlagParams, search: SearchParams): Promise<OpenedFlag> {
  const { project: slug, flag: part } = await params
  const opened = await found(slug, part)
  const environments = await environmentNames(opened)
  const reason = whyNot('flags:write', opened.role)
  return {
    ...opened,
    environments,
    environment: environmentIn(textOf(search['environment']), environments),
    whyNot: opened.flag.archivedAt ? 'The flag is archived. Restore it first.' : reason,
  }
}

export async function environmentNames({
  project,
  viewer,
}: Pick<Opened, 'project' | 'viewer'>): Promise<string[]> {
  const all = await getProduct().flags.environments.list(project.id, viewer)
  return all.map(({ name }) => name)
}

export const environmentIn = (name: string | undefined, known: readonly string[]): string =>
  name !== undefined && known.includes(name) ? name : mainEnvironment

export async function titleOf(params: FlagParams, view?: string): Promise<Metadata> {
  const { project, flag } = await params
  const { key } = (await found(project, flag)).flag
  return { title: view === undefined ? key : `${view} · ${key}` }
}
