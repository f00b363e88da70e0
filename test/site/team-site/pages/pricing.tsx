import { Experiment, LatestPosts, type PageProps, Variant } from '@tilth/site'
import Price from '../components/Price'

export const metadata = { title: 'Pricing', description: 'What it costs.' }

export default async function Pricing({ site }: PageProps) {
  return (
    <main id="content" className="column" style={{ minHeight: '70vh' }}>
      <h1>What {site.name} costs</h1>
      <Experiment of="pricing">
        <Variant is="control">
          <p>Paid by the month.</p>
        </Variant>
        <Variant is="yearly">
          <p>Paid by the year.</p>
        </Variant>
      </Experiment>
      <Price monthly={9}>
        <p>Taxes are included.</p>
      </Price>
      <LatestPosts count={1} />
    </main>
  )
}
