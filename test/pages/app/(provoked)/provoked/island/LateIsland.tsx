'use client'

import dynamic from 'next/dynamic'
import { useState } from 'react'

const Late = dynamic(() => import('./Late'), { ssr: false })

export function LateIsland() {
  const [shown, setShown] = useState(false)
  return (
    <main>
      <button onClick={() => setShown(true)}>Show</button>
      {shown && <Late />}
    </main>
  )
}
