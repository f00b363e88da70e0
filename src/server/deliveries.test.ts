import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aFront } from '#test/product/a-front'
import { aFolder, requireDone } from '#test/product/fixture'
import { aHook } from '#test/outside/hook'
import { aMailServer } from '#test/outside/smtp'
import { Breakers, inUtc } from '#dispatch/breakers'
import { addressOfUrl } from '#dispatch/lane'
import { countDropped } from '#dispatch/overflow'
import { operator } from '#projects/access'
import { openStore } from '#store/open'
import { createDialects } from '#wire/dialects'
import { readConfig } from './config'
import { diagnose } from './doctor'
import { openFront } from './internal/front'
import { openLog } from './log'
import { lockFolder } from './start/lock'

const viewer = operator()
const client = { by: 'mail', address: 'client@example.com' }
const question = { id: 'why', kind: 'open', text: 'Why?' }

/** A front with its port and jobs, which may call webhooks on this machine, and a mail server. */
async function aSendingFront() {
  const mail = await aMailServer()
  const reading = readConfig({ PORT: '0' })
  if (!reading.readable) throw new Error(reading.problems.join(' '))
  const folder = aFolder()
  const { product } = await aFront(folder, undefined, {
    outbound: {
      allow: '127.0.0.0/8',
      canMail: true,
      mail: {
        host: '127.0.0.1',
        port: mail.port,
        isSecure: false,
        user: undefined,
        password: undefined,
        from: 'tilth@example.com',
      },
    },
    alertSender: { origin: 'https://tilth.example' },
  })
  const front = await openFront({
    config: reading.config,
    log: openLog({ level: 'silent', format: 'json' }),
    dialects: createDialects('no scripts'),
  })
  front.use({
    product,
    intake: product.intake,
    wire: product.intake,
    disk: async () => ({ freeBytes: 1e9, usedBytes: 0, trouble: undefined }),
  })
  onTestFinished(() => front.drain())

  /** A project with a running survey whose responses go to a webhook. */
  const aWatchedSurvey = async (name: string, url: string) => {
    const { project } = requireDone(await product.projects.create({ name }, viewer))
    const created = await product.surveys.create(
      project.id,
      { name, content: { questions: [question] } },
      viewer,
    )
    const { id } = requireDone(created).survey
    requireDone(await product.surveys.webhooks.set(project.id, id, { url }, viewer))
    requireDone(await product.surveys.launch(project.id, id, {}, viewer))
    return { project, id }
  }

  /** Answers with the public key, as a visitor's browser does. */
  const answer = async ({ project, id }: Awaited<ReturnType<typeof aWatchedSurvey>>, count: number) => {
    const batch = Array.from({ length: count }, (_, n) => ({
      event: 'survey sent',
      distinct_id: `visitor-${n}`,
      properties: {
        $survey_id: id,
        $survey_submission_id: `${project.slug}-${n}`,
        $survey_completed: true,
        $survey_response_why: 'Fast',
      },
    }))
    const sent = await fetch(`http://127.0.0.1:${front.port}/batch/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 Firefox/140.0' },
      body: JSON.stringify({ api_key: project.writeKey, batch }),
    })
    expect(sent.status).toBe(200)
  }
  return { product, folder, front, mail, aWatchedSurvey, answer }
}

test('a receiver that does not answer holds up no webhook and no e-mail of another project', async () => {
  const { product, front, mail, aWatchedSurvey, answer } = await aSendingFront()
  const [silent, quick] = [await aHook(), await aHook()]
  silent.hold()
  const stuck = await aWatchedSurvey('Stuck', silent.url)
  const other = await aWatchedSurvey('Other', quick.url)
  requireDone(await product.surveys.change(other.project.id, other.id, { notify: [client] }, viewer))
  await product.alerts.contacts.apply({ do: 'confirm', project: other.project.id, address: client.address })

  await answer(stuck, 120)
  await expect.poll(() => silent.calls.length).toBeGreaterThan(0)
  await answer(other, 1)

  await expect.poll(() => quick.calls.length).toBe(1)
  await expect
    .poll(() => mail.letters.filter(({ raw }) => raw.includes('Subject: New response')).length)
    .toBe(1)
  // most of the others have not been tried by then: they wait in the store
  expect(silent.calls.length).toBeLessThan(20)
  const metrics = await (await fetch(`http://127.0.0.1:${front.port}/_tilth/metrics`)).text()
  expect(metrics).toMatch(/^tilth_deliveries\{kind="response",state="waiting"\} 1[12]\d$/m)
  silent.letGo()
})

test('readiness and the doctor name receivers that have not answered for an hour, and what was not queued', async () => {
  const { folder, front } = await aSendingFront()
  const lock = lockFolder(folder)
  onTestFinished(() => lock.release('stopped'))
  const deliveries = async () => {
    const answer = await fetch(`http://127.0.0.1:${front.port}/_tilth/ready`)
    const { parts }: { parts: Record<string, { ok: boolean; status: string; trouble?: string }> } =
      JSON.parse(await answer.text())
    const installation = { root: process.cwd(), programs: join(process.cwd(), 'dist') }
    const settings = { TILTH_DATA: folder, PORT: String(front.port) }
    const diagnoses = await diagnose(settings, installation, () => {})
    const finding = diagnoses.find(({ name }) => name === 'deliveries')?.finding
    return { part: parts['deliveries'], finding }
  }
  expect(await deliveries()).toEqual({
    part: { ok: true, status: 'ready' },
    finding: { verdict: 'ok', found: 'Receivers of webhooks and e-mails answer.' },
  })

  const store = await openStore({ folder })
  onTestFinished(() => store.close())
  const breakers = await Breakers.read(store)
  const [now, earlier] = [new Date(), new Date(Date.now() - 2 * 60 * 60_000)]
  const address = addressOfUrl('https://hooks.example:8443/T0/secret')
  for (const at of [earlier, now, now]) await breakers.fail({ projectId: 1, address }, at)
  for (const at of [now, now, now]) await breakers.fail({ projectId: 1, address: 'restarts.example' }, at)
  await countDropped(store, { projectId: 1, about: 'survey' }, now)

  const { part, finding } = await deliveries()
  expect(part).toMatchObject({ ok: true, status: 'degraded' })
  expect(part?.trouble).toContain(`Receivers do not answer: hooks.example:8443 since ${inUtc(earlier)}. What`)
  expect(part?.trouble).toContain('Responses to surveys were not sent, because too many waited: 1. The')
  expect(finding).toEqual({
    verdict: 'wrong',
    found: part?.trouble,
    remedy: 'See docs/operations.md for how to fix it.',
  })
})
