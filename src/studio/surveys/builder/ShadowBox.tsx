'use client'

import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'

/** Draws its children under style rules of their own, untouched by those of the page. */
export function ShadowBox({ css, children }: { css: string; children: ReactNode }) {
  const [root, setRoot] = useState<ShadowRoot>()
  const attach = useCallback((host: HTMLDivElement | null) => {
    if (host) setRoot(host.shadowRoot ?? host.attachShadow({ mode: 'open' }))
  }, [])

  // a constructed sheet needs no inline style element, which the content security policy refuses
  useEffect(() => {
    if (!root) return undefined
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    root.adoptedStyleSheets.push(sheet)
    return () => {
      const index = root.adoptedStyleSheets.indexOf(sheet)
      root.adoptedStyleSheets.splice(index, 1)
    }
  }, [root, css])

  return <div ref={attach}>{root && createPortal(children, root)}</div>
}
