import { describe, expect, test } from 'vitest'
import { anApiProgram } from '#test/product/api-program'
import { anEngine } from '#test/product/test-engine'

const engine = anEngine()

const everybody = { environments: { production: { isOn: true, conditions: [{ percentage: 100 }] } } }

test('a flag is made, read, changed, turned, taken back, put away and restored', async () => {
  const { ask } = await anApiProgram()
  const { status, body } = await ask('POST', '/flags', { key: 'checkout', ...everybody })
  expect([status, body]).toEqual([201, expect.objectContaining({ key: 'checkout', version: 1 })])
  expect(body).not.toHaveProperty('projectId')

  expect((await ask('GET', '/flags/checkout')).body).toEqual(body)
  expect((await ask('PATCH', '/flags/checkout', { owner: 'Ben', note: 'His now' })).body).toMatchObject({
    owner: 'Ben',
    version: 2,
  })
  expect((await ask('PATCH', '/flags/checkout', { owner: 'Eve', version: 1 })).status).toBe(422)
  const turned = await ask('POST', '/flags/checkout/turn', { isOn: false })
  expect(turned.body).toMatchObject({ environments: { production: { isOn: false } } })
  const versions = (await ask('GET', '/flags/checkout/history')).body
  expect(versions).toMatchObject({
    versions: [{ version: 3 }, { version: 2, note: 'His now' }, { version: 1 }],
  })
  const reverted = await ask('POST', '/flags/checkout/history/1/revert')
  expect(reverted.body).toMatchObject({ owner: '', version: 4 })
  expect((await ask('POST', '/flags/checkout/archive', {})).status).toBe(422)
  expect((await ask('POST', '/flags/checkout/archive', { anyway: true })).body).toHaveProperty('archivedAt')
  expect((await ask('GET', '/flags')).body).toEqual({ flags: [] })
  expect((await ask('GET', '/flags?archived=true')).body).toMatchObject({ flags: [{ key: 'checkout' }] })
  expect((await ask('POST', '/flags/checkout/restore')).body).not.toHaveProperty('archivedAt')
})

test('PostHog’s words are imported, and no input of ours', async () => {
  const { ask } = await anApiProgram()
  const posthogFlag = {
    key: 'cta',
    name: 'Button',
    active: true,
    filters: { groups: [{ rollout_percentage: 25 }] },
  }
  const refusal = {
    status: 422,
    body: { error: { message: expect.stringContaining('POST …/flags/import') } },
  }
  expect(await ask('POST', '/flags', posthogFlag)).toMatchObject(refusal)
  expect(
    (await ask('POST', '/flags/import', { results: [posthogFlag, { key: 'no good!' }] })).body,
  ).toMatchObject({
    created: ['cta'],
    changed: [],
    refused: [{ key: 'no good!' }],
  })
  expect(await ask('PATCH', '/flags/cta', { active: false })).toMatchObject(refusal)
  expect((await ask('GET', '/flags/cta')).body).toMatchObject({
    version: 1,
    environments: { production: { isOn: true, conditions: [{ percentage: 25 }] } },
  })
})

test('a schedule, an environment and a holdout come and go', async () => {
  const { ask } = await anApiProgram()
  await ask('POST', '/flags', { key: 'checkout' })
  const planned = await ask('POST', '/flags/checkout/schedules', {
    steps: [{ at: '2026-04-01T10:00', isOn: true, percentage: 10 }],
  })
  expect([planned.status, planned.body]).toEqual([
    201,
    expect.objectContaining({ flag: 'checkout', nextAt: '2026-04-01T10:00:00.000Z' }),
  ])
  expect((await ask('GET', '/flags/checkout/schedules')).body).toEqual({ schedules: [planned.body] })
  expect((await ask('DELETE', `/flags/checkout/schedules/${String(planned.body.id)}`)).status).toBe(200)

  const made = await ask('POST', '/environments', { name: 'staging' })
  expect(made.status).toBe(201)
  expect((await ask('POST', '/environments/staging/renew')).body).not.toEqual(made.body)
  expect((await ask('GET', '/environments')).body).toMatchObject({
    environments: [{ name: 'production' }, { name: 'staging' }],
  })
  expect((await ask('DELETE', '/environments/staging')).body).toEqual({ flags: 0 })

  const held = await ask('POST', '/holdouts', { name: 'Spring', percentage: 5 })
  expect([held.status, held.body]).toEqual([201, expect.objectContaining({ id: 1, percentage: 5 })])
  expect((await ask('PATCH', '/holdouts/1', { percentage: 7.5 })).body).toMatchObject({ percentage: 7.5 })
  expect((await ask('DELETE', '/holdouts/1')).status).toBe(200)
  expect((await ask('GET', '/holdouts')).body).toEqual({ holdouts: [] })
})

describe('what a visitor gets', () => {
  test('is said with the reason, the bucket and the way there', async () => {
    const { ask } = await anApiProgram()
    await ask('POST', '/flags', { key: 'checkout', ...everybody })
    const { status, body } = await ask('POST', '/flags/checkout/explain', { distinctId: 'ana' })

    expect(status).toBe(200)
    expect(body).toMatchObject({
      value: true,
      reason: { code: 'condition_match', condition: 0 },
      bucket: expect.any(Number),
      bucketedBy: 'ana',
    })
    expect(body.steps).not.toEqual([])
  })

  test('is said with the flags and conditions on which it depends', async () => {
    const { ask } = await anApiProgram()
    await ask('POST', '/flags', { key: 'base', ...everybody })
    const conditions = [
      { type: 'flag', flag: 'base', value: true },
      { type: 'person', key: 'plan', operator: 'exact', value: 'pro' },
    ]
    const production = { isOn: true, conditions: [{ conditions, percentage: 50 }] }
    await ask('POST', '/flags', { key: 'checkout', environments: { production } })

    const { body } = await ask('POST', '/flags/checkout/explain', { distinctId: 'ana' })

    expect(body).toMatchObject({
      dependencies: { base: { value: true } },
      sets: [{ isReached: true, conditions: [{ answer: true }, { answer: false }] }],
    })
  })

  test('is listed for the persons of the last 30 days', async () => {
    const plan = { properties: { $browser: 'Firefox' } }
    expect(
      await engine.addProject([{ person: 'ana', event: 'buy', at: '2026-03-01T10:00:00Z', ...plan }]),
    ).toBe(1)
    const { ask } = await anApiProgram({ engine: engine.engine() })
    await ask('POST', '/flags', { key: 'checkout', ...everybody })

    const { body } = await ask('GET', '/flags/checkout/people?show=all')

    expect(body).toMatchObject({
      total: 1,
      matches: [{ value: true, reason: { code: 'condition_match' } }],
      counts: { served: 1, values: [{ value: true, persons: 1 }] },
    })
  })

  test('is said to no one who may not see people', async () => {
    const { ask } = await anApiProgram({ held: ['project:read', 'flags:write'] })
    await ask('POST', '/flags', { key: 'checkout', ...everybody })

    expect((await ask('POST', '/flags/checkout/explain', { distinctId: 'ana' })).status).toBe(403)
  })
})

test('a guarded rollout is begun, read, changed, paused, resumed and stopped', async () => {
  const { ask } = await anApiProgram()
  await ask('POST', '/flags', { key: 'checkout', environments: { production: { conditions: [{}] } } })
  const steps = [
    { percentage: 10, afterMinutes: 0 },
    { percentage: 100, afterMinutes: 60 },
  ]
  const metrics = [{ type: 'exceptions' }, { type: 'vital' }, { type: 'event', event: 'buy' }]
  const begun = await ask('POST', '/flag-guards', { flag: 'checkout', steps, metrics })
  expect([begun.status, begun.body]).toEqual([201, expect.objectContaining({ flag: 'checkout', steps })])
  const address = `/flag-guards/${String(begun.body['id'])}`

  expect((await ask('GET', address)).body).toEqual(begun.body)
  expect((await ask('PATCH', address, { minimum: 50 })).body).toMatchObject({ minimum: 50 })
  expect((await ask('POST', `${address}/pause`)).body).toMatchObject({ pausedAt: expect.any(String) })
  expect((await ask('POST', `${address}/resume`)).body).toMatchObject({ resumedAt: expect.any(String) })
  expect((await ask('POST', `${address}/stop`, {})).body).toMatchObject({ state: 'stopped' })
  expect((await ask('GET', '/flag-guards')).body).toMatchObject({ guards: [{ state: 'stopped' }] })
})

test('a secret value is read by keys that may see keys, and is masked for all others', async () => {
  const secret = {
    key: 'api',
    kind: 'config',
    isSecret: true,
    servedTo: 'servers',
    payloads: { true: '"hush"' },
  }
  const { ask } = await anApiProgram()
  const { body } = await ask('POST', '/flags', secret)
  expect(JSON.stringify(body)).not.toContain('hush')
  expect((await ask('POST', '/flags/api/reveal')).body).toEqual({
    payloads: { true: '"hush"' },
    environments: {},
  })
  const { ask: another } = await anApiProgram({ held: ['project:read', 'flags:write'] })
  await another('POST', '/flags', secret)
  expect((await another('POST', '/flags/api/reveal')).status).toBe(403)
})

test('what is wrong is said for each field', async () => {
  const { ask } = await anApiProgram()
  const { status, body } = await ask('POST', '/flags', {
    key: 'no good!',
    environments: { production: { conditions: [{ percentage: 101 }] } },
  })

  expect(status).toBe(422)
  expect(body).toMatchObject({
    error: {
      problems: [
        { field: 'key' },
        {
          field: 'environments.production.conditions.0.percentage',
          message: 'A percentage is not more than 100.',
        },
      ],
    },
  })
  expect((await ask('GET', '/flags/none')).status).toBe(422)
})
