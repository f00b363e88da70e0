import { expect } from 'vitest'
import type { RunningTestTilth } from '../start/tilth'
import { secret } from './tilth-fixture'

/** The management API, as a program calls it; what is answered must be what was hoped for. */
export async function callApi(
  { address }: RunningTestTilth,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${address}/api/v1/projects/acme${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  const text = await answer.text()
  expect([path, answer.status < 300, text]).toEqual([path, true, text])
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) // every answer of the API is an object
}

type JsonObject = Record<string, unknown>

/** A flag that is on in production, for all visitors unless stated otherwise. */
export const createFlag = (
  tilth: RunningTestTilth,
  { set = {}, setting = {}, ...flag }: JsonObject & { set?: JsonObject; setting?: JsonObject },
) =>
  callApi(tilth, 'POST', '/flags', {
    environments: { production: { isOn: true, conditions: [{ conditions: [], ...set }], ...setting } },
    ...flag,
  })

export const switchFlag = (tilth: RunningTestTilth, key: string, isOn: boolean, environment = 'production') =>
  callApi(tilth, 'POST', `/flags/${key}/turn`, { environment, isOn })

export const colours = [
  { key: 'blue', percentage: 50 },
  { key: 'red', percentage: 50 },
]

export const proPlan = { type: 'person', key: 'plan', operator: 'exact', value: 'pro' }
