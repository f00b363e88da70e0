import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { PostHog } from 'posthog-node'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  type AssistantGeneration,
  assistantGenerations,
  assistantSignIns,
} from '../outside/assistant-sign-in'
import { aClientDocument, localhostCertificate } from '../outside/client-document'
import { openBrowser } from '../pages/browser'
import { aFolder } from '../product/fixture'
import { untilStored } from '../studio/collecting'
import { letIn, receiveCallbacks } from '../studio/letting-in'
import { aStudio, openOwnerPage, owner, type TestStudio, visit } from '../studio/studio'
import { patientClient } from '../wire/posthog-server'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

/** A Tilth that may read descriptions of programs on this machine. */
async function anInstallation(): Promise<TestStudio> {
  const certificate = join(aFolder(), 'localhost.pem')
  writeFileSync(certificate, localhostCertificate)
  return await aStudio(browser, {
    TILTH_OUTBOUND_ALLOW: 'localhost,127.0.0.0/8,::1/128',
    NODE_EXTRA_CA_CERTS: certificate,
  })
}

/** The names that the two programs give themselves: one by a document, the other when it registers. */
const programs: Record<AssistantGeneration, string> = { '2026-07-28': 'Desk', 2025: 'Claude Code' }

const documentOfDesktop = (client_id: string) => ({
  client_id,
  client_name: programs['2026-07-28'],
  redirect_uris: ['http://127.0.0.1/callback'],
})

interface ReadAnswer {
  text: string
  link: string
  data: Record<string, unknown>
}

async function signIn(generation: AssistantGeneration, studio: TestStudio, page: Page) {
  const document = generation === 2025 ? undefined : await aClientDocument(documentOfDesktop)
  const consent = letIn(page, { name: programs[generation], level: 'propose' })
  const assistant = await assistantSignIns[generation](new URL('/mcp', studio.address), consent, document)
  onTestFinished(() => assistant.close())
  const ask = async (name: string, given: Record<string, unknown> = {}): Promise<ReadAnswer> => {
    const answer = await assistant.call(name, given)
    // as `agent-server` answers
    const { content, structuredContent, isError } = JSON.parse(answer) as {
      content: { text: string }[]
      structuredContent?: { link: string; data?: Record<string, unknown> }
      isError?: boolean
    }
    const text = content.map((part) => part.text).join('\n')
    if (isError || !structuredContent) throw new Error(`${name} was answered: ${text}`)
    return { text, link: structuredContent.link, data: structuredContent.data ?? {} }
  }
  return { ask, call: assistant.call }
}

type Ask = Awaited<ReturnType<typeof signIn>>['ask']

/** The server of a shop, with PostHog's own client. */
function aShop({ address, writeKey }: TestStudio): PostHog {
  const client = new PostHog(writeKey, { ...patientClient, host: address, disableGeoip: true })
  onTestFinished(() => client.shutdown(2000))
  return client
}

const visitors = (count: number, of: string) => Array.from({ length: count }, (_, n) => `${of}-${n}`)

/** Twenty visitors sign up, and five of them order. */
async function sellBefore(shop: PostHog): Promise<void> {
  for (const [n, distinctId] of visitors(20, 'earlier').entries()) {
    shop.capture({ distinctId, event: 'signup' })
    if (n < 5) shop.capture({ distinctId, event: 'ordered' })
  }
  await shop.flush()
}

/** A person opens the link that the assistant hands out, and approves with one click. Resolves to what was made. */
async function approve(page: Page, ask: Ask, proposed: ReadAnswer, difference: string): Promise<string> {
  await visit(page, proposed.link)
  await page.getByText(difference, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Approved, and done').waitFor()
  const { text, data } = await ask('read_proposal', { id: proposed.data['id'] })
  expect(text).toContain(`The proposal is approved, by ${owner.name}`)
  return String(data['result'])
}

const flag = {
  key: 'checkout',
  kind: 'variants',
  variants: [
    { key: 'control', percentage: 50 },
    { key: 'short', percentage: 50 },
  ],
  environments: { production: { isOn: true, conditions: [{ percentage: 100 }] } },
}
const experiment = {
  name: 'Shorter checkout',
  flag: flag.key,
  hypothesis: 'Fewer fields bring more orders.',
  metrics: [{ name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } }],
  analysis: { minimumUnits: 5 },
}

/** Forty visitors are asked for by the shop, which its client tells Tilth; each third of a variant orders. */
async function sellMeanwhile(shop: PostHog): Promise<void> {
  const met: Record<string, number> = {}
  for (const distinctId of visitors(40, 'visitor')) {
    const variant = String(await shop.getFeatureFlag('checkout', distinctId))
    met[variant] = (met[variant] ?? 0) + 1
    if (met[variant] % 3 === 0) shop.capture({ distinctId, event: 'ordered' })
  }
  expect(Object.keys(met).toSorted()).toEqual(['control', 'short'])
  await shop.flush()
}

/** The audit log names the person and the program, by what each has done. */
async function readAudit(page: Page, program: string): Promise<void> {
  await visit(page, '/studio/acme/settings/audit')
  const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row')
  const assistant = `${owner.name}, through ${program}`
  const proposed = rows.filter({ hasText: assistant }).filter({ hasNotText: 'proposed by' })
  await proposed.filter({ hasText: 'Create the flag checkout.' }).waitFor()
  await proposed.filter({ hasText: 'Start the experiment “Shorter checkout”.' }).waitFor()
  const made = rows.filter({ hasText: `${owner.name} (proposed by ${assistant})` })
  await made.filter({ hasText: 'checkout' }).first().waitFor()
}

async function revoke(page: Page, program: string): Promise<void> {
  await visit(page, '/studio/acme/settings/agents')
  await page.getByRole('button', { name: `Revoke ${program} of ${owner.name}` }).click()
  await page.getByRole('button', { name: 'Revoke access' }).click()
  await page.getByText('No assistants yet').waitFor()
}

test.each(assistantGenerations)(
  'a client of %s does a whole job: a funnel, a flag, an experiment and its doubt, until it is shown out',
  async (generation) => {
    const program = programs[generation]
    const studio = await anInstallation()
    const shop = aShop(studio)
    await sellBefore(shop)
    await untilStored(studio, 25)
    const page = await openOwnerPage(studio)
    await receiveCallbacks(page)
    const { ask, call } = await signIn(generation, studio, page)

    const funnel = { kind: 'funnel', steps: [{ event: 'signup' }, { event: 'ordered' }], period: '7d' }
    const read = await ask('run_query', { query: funnel })
    expect(read.text).toMatch(/^5 of 20 people \(25(\.0+)?%\) came from “signup” to “ordered”/)
    await visit(page, read.link)
    await page.getByText('overall conversion: 5 of 20 people').waitFor()

    const created = await ask('create_flag', { ...flag, reason: 'Three of four leave at the checkout.' })
    expect(await shop.getFeatureFlag('checkout', 'earlier-0')).toBeUndefined()
    expect(await approve(page, ask, created, 'production: turned on')).toBe('flags/checkout')
    await expect
      .poll(() => shop.getFeatureFlag('checkout', 'earlier-0', { sendFeatureFlagEvents: false }))
      .toMatch(/^(control|short)$/)

    const plan = await ask('plan_experiment', { experiment, history: { event: 'signup' } })
    expect(plan.text).toMatch(/^It needs [\d,]+ visitors in each variant: [\d,]+ in all, /)
    const drafted = await ask('create_experiment', experiment)
    const made = await approve(page, ask, drafted, 'Name: “Shorter checkout”')
    const id = made.replace('experiments/', '')
    const started = await ask('start_experiment', { id })
    expect(await approve(page, ask, started, 'Exposures count from the start on')).toBe(made)

    await sellMeanwhile(shop)
    const results = async () => (await ask('experiment_results', { id })).text
    await expect
      .poll(results, { interval: 1000 })
      .toMatch(/Cannot tell yet: about [\d,]+ more visitors needed, [\d,]+ in each variant\./)

    await readAudit(page, program)
    await revoke(page, program)
    await expect(call('get_project')).rejects.toThrow()
  },
)
