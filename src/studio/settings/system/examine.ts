import { version as react } from 'react'
import { version as next } from 'next/package.json'
import { version as tilth } from '#package.json'
import type { EngineHealth } from '#engine/engine'
import { getProduct } from '#studio/product'

/** The state of the pages process and of its dependencies. */
export interface Examination {
  at: Date
  instance: string
  startedAt: Date
  memoryBytes: number
  store: { answers: true; ms: number } | { answers: false; why: string }
  /** Undefined while the front has not said where the engine answers. */
  engine: EngineHealth | undefined
}

export const versions: readonly (readonly [string, string])[] = [
  ['Tilth', tilth],
  ['Node', process.versions.node],
  ['Next', next],
  ['React', react],
]

export async function examineSystem(): Promise<Examination> {
  const { instance, engine } = getProduct()
  const at = new Date()
  return {
    at,
    instance,
    startedAt: new Date(at.getTime() - process.uptime() * 1000),
    memoryBytes: process.memoryUsage.rss(),
    store: await pingStore(),
    engine: engine?.health(),
  }
}

async function pingStore(): Promise<Examination['store']> {
  const began = performance.now()
  try {
    await getProduct().ping()
    return { answers: true, ms: performance.now() - began }
  } catch (problem) {
    return { answers: false, why: problem instanceof Error ? problem.message : String(problem) }
  }
}
