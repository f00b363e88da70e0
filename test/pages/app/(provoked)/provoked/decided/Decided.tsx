'use client'

import { posthog } from 'posthog-js'
import { useEffect, useState } from 'react'
import { useFlag, Variant } from '#visits/Provider'
import { type PosthogBootstrap, slotId } from '#visits/slot'

/** Shows the decisions of posthog-js, which got them from the page before it could request them. */
export function Decided() {
  const headline = useFlag('headline')
  const [posthogs, setPosthogs] = useState('')
  useEffect(() => {
    const slot = document.getElementById(slotId)?.textContent ?? '{}'
    posthog.init('phc_test', {
      api_host: location.origin,
      // the front has written it
      bootstrap: JSON.parse(slot) as PosthogBootstrap,
      persistence: 'memory',
      autocapture: false,
      capture_pageview: false,
      disable_session_recording: true,
      disable_external_dependency_loading: true,
      loaded: (begun) => setPosthogs(String(begun.getFeatureFlag('headline'))),
    })
  }, [])
  return (
    <>
      <p data-of="useFlag">{String(headline)}</p>
      <Variant of="headline" is="b">
        <p data-of="Variant">b</p>
      </Variant>
      <p data-of="servers">{String(useFlag('for-servers'))}</p>
      <p data-of="posthog">{posthogs}</p>
    </>
  )
}
