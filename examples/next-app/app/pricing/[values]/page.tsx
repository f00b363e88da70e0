import { Exposure } from '@tilth/react'
import { pricingFlags } from '../../../tilth'

export default async function Pricing({ params }: { params: Promise<{ values: string }> }) {
  const plans = pricingFlags.flag((await params).values, 'plans')
  return (
    <main>
      <h1>{plans === 'yearly' ? '90 € a year' : '9 € a month'}</h1>
      <Exposure flag="plans" />
    </main>
  )
}
