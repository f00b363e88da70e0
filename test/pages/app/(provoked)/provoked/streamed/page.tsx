import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Suspense } from 'react'

interface Query {
  /** A file: once it is there, the page ends. */
  until: string
}

export default function Streamed({ searchParams }: { searchParams: Promise<Query> }) {
  return (
    <main>
      <h1>At once</h1>
      <Suspense fallback={<p>Waiting</p>}>
        <Late query={searchParams} />
      </Suspense>
    </main>
  )
}

async function Late({ query }: { query: Promise<Query> }) {
  const { until } = await query
  while (!existsSync(/* turbopackIgnore: true */ until)) await pause(20)
  return <p>In the end</p>
}
