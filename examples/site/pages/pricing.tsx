import { Experiment, type PageProps, Variant } from '@tilth/site'
import Price from '../components/Price'

export const metadata = { title: 'Pricing', description: 'What it costs.' }

export default function Pricing({ site }: PageProps) {
  return (
    <main id="content">
      <h1>What {site.name} costs</h1>
      <Experiment of="pricing">
        <Variant is="control">Paid by the month.</Variant>
        <Variant is="yearly">Paid by the year.</Variant>
      </Experiment>
      <Price monthly={9} />
    </main>
  )
}
