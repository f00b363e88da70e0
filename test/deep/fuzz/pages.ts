import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { escaped, mutated, oddTexts, oddValue, queryOf, type SentRequest, written } from './mutations'
import type { Random } from './random'

interface ServerAction {
  id: string
  name: string
}

/** The paths and actions of pages that can be requested. */
export interface Pages {
  /** With names in brackets. */
  paths: readonly string[]
  actions: readonly ServerAction[]
  /** The session of a member. */
  cookie: string
  origin: string
}

/** The actions that end the run's own access, after which every answer would be a redirect to the sign-in. */
const endsAccess =
  /^(?:archiveProject|leaveProject|renewWriteKey|revokeKey|changeRole|removeMember|requireSecondFactor|requireSecondFactorIn)$/

/** The addresses of all pages and of their routes, by Next's folders. */
export const pagePaths = (root: string): string[] =>
  readdirSync(join(root, 'src/app'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?:^|\/)(?:page\.tsx|route\.tsx?)$/.test(file))
    .map((file) => `/${file}`.replace(/\/[^/]*$/, '').replaceAll(/\/\([^/]*\)/g, '') || '/')
    .map((path) => path.replace('%5F', '_'))
    .filter((path) => path !== '/studio/sign-out')
    .toSorted()

const manifest = z.object({ node: z.record(z.string(), z.object({ exportedName: z.string() })) })

/** The server actions of the built pages. */
export function builtActions(root: string): ServerAction[] {
  const text = readFileSync(join(root, '.next/server/server-reference-manifest.json'), 'utf8')
  return Object.entries(manifest.parse(JSON.parse(text)).node)
    .map(([id, { exportedName }]) => ({ id, name: exportedName }))
    .filter(({ name }) => !endsAccess.test(name))
}

const parameters = [
  'period',
  'search',
  'filter',
  'page',
  'sort',
  'cohort',
  'q',
  'to',
  'token',
  'before',
  '_rsc',
]

/** A request for a page, or a form or an action sent to it; by a member or without a session. */
export function pageRequest(
  { paths, actions, cookie, origin }: Pages,
  project: string,
  random: Random,
): SentRequest {
  const path = (random.pick(paths) ?? '/').replaceAll(/\[([^\]]*)\]/g, (_brackets, name: string) =>
    name === 'project' && random.chance(0.95)
      ? project
      : escaped(random.pick(['1', '2', 'a', 'json', 'new', ...oddTexts])).slice(0, 300) || 'x',
  )
  const query = Object.fromEntries(
    parameters
      .filter(() => random.chance(0.15))
      .map((name) => [name, random.pick(['1', 'a', '{}', ...oddTexts])]),
  )
  const target = path + queryOf(query, random)
  const headers: Record<string, string> = { accept: 'text/html', ...(random.chance(0.8) && { cookie }) }
  if (random.chance(0.15)) headers['rsc'] = '1'
  if (random.chance(0.5)) return { method: 'GET', target, headers, body: undefined }
  const { id, name } = random.pick(actions) ?? { id: 'x', name: 'x' }
  const address = `/studio/${project}`
  const sent = { ...headers, origin, 'sec-fetch-site': 'same-origin' }
  if (random.chance(0.6)) {
    const given = [project, ...Array.from({ length: random.int(4) }, () => mutated(oddValue(random), random))]
    const body = Buffer.from(written(given))
    const odd = random.chance(0.05) ? body.subarray(0, random.int(body.length)) : body
    const action = random.chance(0.95) ? id : name
    return {
      method: 'POST',
      target: random.chance(0.8) ? address : target,
      headers: { ...sent, 'next-action': action, 'content-type': 'text/plain;charset=UTF-8' },
      body: odd,
    }
  }
  return {
    method: 'POST',
    target: random.chance(0.5) ? address : target,
    headers: { ...sent, 'content-type': 'multipart/form-data; boundary=x' },
    body: formOf([`$ACTION_ID_${id}`, '1_slug', 'name', 'email', 'password'], random),
  }
}

function formOf(names: readonly string[], random: Random): Buffer {
  const parts = names
    .filter(() => random.chance(0.8))
    .map((name) => {
      const value = name.startsWith('$') ? '' : random.pick(oddTexts)
      return `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    })
  return Buffer.from(`${parts.join('')}--x--\r\n`)
}
