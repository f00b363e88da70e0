'use client'
import { track, useFlag } from '@tilth/site'
import { useState } from 'react'

export default function Price({ monthly }: { monthly: number }) {
  const [seats, setSeats] = useState(1)
  const isYearly = useFlag('pricing') === 'yearly'
  const add = () => {
    setSeats(seats + 1)
    track('seat added')
  }
  return (
    <p>
      {isYearly ? monthly * 10 * seats : monthly * seats} for {seats}{' '}
      <button type="button" onClick={add}>
        Add a seat
      </button>
    </p>
  )
}
