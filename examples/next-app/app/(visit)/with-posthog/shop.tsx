'use client'

import type { PosthogOptions } from '@tilth/next/posthog'
import { posthog } from 'posthog-js'
import { useEffect, useState } from 'react'

/** posthog-js beside Tilth's own components: it begins with the decisions and the id of the visit. */
export function Shop({ options }: { options: PosthogOptions }) {
  const [headline, setHeadline] = useState('')
  useEffect(() => {
    posthog.init(process.env.NEXT_PUBLIC_TILTH_PROJECT ?? '', { api_host: '/ingest', ...options })
    return posthog.onFeatureFlags((_keys, variants) => setHeadline(String(variants['headline'])))
  }, [options])

  return (
    <main>
      <h1>Shop</h1>
      <p id="headline">{headline}</p>
      <button id="order" onClick={() => posthog.capture('ordered')}>
        Order
      </button>
      <button id="sign-in" onClick={() => posthog.identify('user-42')}>
        Sign in
      </button>
    </main>
  )
}
