'use client'
import { track, useFlag } from '@tilth/site'
import { type ReactNode, useState } from 'react'
import './price.css'

interface PriceProps {
  monthly: number
  children?: ReactNode
}

/** Counts seats; the period is the experiment's. */
export default function Price({ monthly, children }: PriceProps) {
  const [seats, setSeats] = useState(1)
  const isYearly = useFlag('pricing') === 'yearly'
  const add = () => {
    setSeats(seats + 1)
    track('seat added', { seats: seats + 1 })
  }
  return (
    <div className="price">
      <output>{isYearly ? `${monthly * 10 * seats} a year` : `${monthly * seats} a month`}</output>
      <button type="button" onClick={add} style={{ padding: '0.5rem' }}>
        Add a seat
      </button>
      {children}
    </div>
  )
}
