import { setTimeout as pause } from 'node:timers/promises'
import { Suspense } from 'react'

export default function Streamed() {
  return (
    <main>
      <h1>At once</h1>
      <Suspense fallback={<p>Waiting</p>}>
        <Late />
      </Suspense>
    </main>
  )
}

async function Late() {
  await pause(700)
  return <p>In the end</p>
}
