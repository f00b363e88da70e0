import { Command } from 'commander'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { writeTypes } from '#site-kit/write-types'
import { parseAddress } from './site'

const keyVariable = 'TILTH_SECRET_KEY'

export const typesCommand = (): Command =>
  new Command('types')
    .description('write the flags and surveys of a project as types into a site folder')
    .argument('[folder]', 'the site folder; otherwise that of TILTH_SITE, or ./site')
    .requiredOption('--from <address>', 'the Tilth that has the project', parseAddress)
    .addHelpText(
      'after',
      `\n${keyVariable} is a secret key of the project that may read. tilth dev needs none of this.`,
    )
    .action(async (named: string | undefined, { from }: { from: URL }) => {
      const folder = resolve(named ?? process.env['TILTH_SITE'] ?? 'site')
      const outcome = await typesFrom(from, folder)
      process.exitCode = outcome.done ? 0 : 1
      if (outcome.done) process.stdout.write(`Written to ${folder}.\n`)
      else process.stderr.write(`${outcome.problem}\n`)
    })

type Answer<Body> = { done: true; body: Body } | { done: false; problem: string }

const projectList = z.object({ projects: z.array(z.object({ slug: z.string() })) })
const flagList = z.object({
  flags: z.array(z.object({ key: z.string(), variants: z.array(z.object({ key: z.string() })) })),
})
const surveyList = z.object({
  surveys: z.array(z.object({ id: z.string(), name: z.string(), archivedAt: z.string().optional() })),
})

async function typesFrom(
  from: URL,
  folder: string,
): Promise<{ done: true } | { done: false; problem: string }> {
  const key = process.env[keyVariable]?.trim()
  if (!key) return { done: false, problem: `Set ${keyVariable} to a secret key: Settings → Keys.` }
  if (!existsSync(folder)) return { done: false, problem: `${folder} does not exist.` }
  const read = <Body>(path: string, schema: z.ZodType<Body>) =>
    readApi(new URL(`/api/v1${path}`, from), key, schema)
  const projects = await read('/projects', projectList)
  if (!projects.done) return projects
  const [project] = projects.body.projects
  if (!project) return { done: false, problem: 'The key is of no project.' }
  const flags = await read(`/projects/${project.slug}/flags`, flagList)
  if (!flags.done) return flags
  const surveys = await read(`/projects/${project.slug}/surveys`, surveyList)
  if (!surveys.done) return surveys
  const current = surveys.body.surveys.filter(({ archivedAt }) => archivedAt === undefined)
  writeTypes(folder, flags.body.flags, current)
  return { done: true }
}

const refusal = z.object({ error: z.object({ message: z.string() }) })

async function readApi<Body>(address: URL, key: string, schema: z.ZodType<Body>): Promise<Answer<Body>> {
  const failed = (problem: string): Answer<Body> => ({
    done: false,
    problem: `${address.origin}: ${problem}`,
  })
  const response = await fetch(address, {
    headers: { authorization: `Bearer ${key}` },
    redirect: 'error',
    signal: AbortSignal.timeout(30_000),
  }).catch(() => undefined)
  if (!response) return failed('no Tilth answers there.')
  const answer: unknown = await response.json().catch(() => undefined)
  const body = schema.safeParse(answer)
  if (response.ok && body.success) return { done: true, body: body.data }
  return failed(
    refusal.safeParse(answer).data?.error.message ?? `this is not Tilth's API (HTTP ${response.status}).`,
  )
}
