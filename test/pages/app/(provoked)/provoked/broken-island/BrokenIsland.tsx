'use client'

import { useState } from 'react'

export function BrokenIsland() {
  const [broken, setBroken] = useState(false)
  if (broken) throw new Error('thrown in the browser')
  return <button onClick={() => setBroken(true)}>Break</button>
}
