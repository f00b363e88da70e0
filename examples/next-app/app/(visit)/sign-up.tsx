'use client'

import { Experiment, track, useFlag } from '@tilth/react'

export function SignUp() {
  const isNew = useFlag('new-checkout')
  return (
    <section>
      <Experiment
        flag="offer"
        variants={{
          control: <p id="offer">Free delivery</p>,
          'half-price': <p id="offer">Half price today</p>,
        }}
      />
      <button onClick={() => track('signup', { props: { plan: 'pro' } })}>
        {isNew ? 'Buy in one step' : 'Sign up'}
      </button>
    </section>
  )
}
