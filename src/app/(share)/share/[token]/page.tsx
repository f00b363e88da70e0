import type { Metadata } from 'next'
import { cookies, headers } from 'next/headers'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { CardCell, CardGrid } from '#dashboards/CardGrid'
import { sortByReadingOrder } from '#dashboards/grid'
import type { SharedBoard, OpenedShare } from '#shares/shares'
import { DashboardCardView } from '#studio/dashboards/DashboardCardView'
import { getProduct } from '#studio/product'
import { proofCookie } from '#studio/shared-pages/proof-cookie'
import { SharedPeriod } from '#studio/shared-pages/SharedPeriod'
import { SharedReport } from '#studio/shared-pages/SharedReport'
import { Unlock } from '#studio/shared-pages/Unlock'
import type { SearchParams } from '#studio/search-params'

interface SharePageProps {
  params: Promise<{ token: string }>
  searchParams: Promise<SearchParams>
}

/** For the title and for the page; opened once. */
const openShare = cache(async (token: string, period: string | undefined): Promise<OpenedShare> => {
  const isSecure = (await headers()).get('x-forwarded-proto') === 'https'
  const { name } = proofCookie(token, isSecure)
  return await getProduct().shares.visit(token, (await cookies()).get(name)?.value, period)
})

async function openRequestedShare({ params, searchParams }: SharePageProps): Promise<OpenedShare> {
  const { period } = await searchParams
  return await openShare((await params).token, typeof period === 'string' ? period : undefined)
}

export async function generateMetadata(props: SharePageProps): Promise<Metadata> {
  const found = await openRequestedShare(props)
  if (found.state === 'missing') return { title: 'This link does not work' }
  return { title: found.state === 'open' ? found.shared.name : 'Password needed' }
}

/** Shows a shared dashboard, insight or report of an experiment to a visitor without an account. */
export default async function SharePage(props: SharePageProps) {
  const found = await openRequestedShare(props)
  if (found.state === 'missing') notFound()
  const { token } = await props.params
  if (found.state === 'locked') return <Unlock token={token} />
  if (found.shared.kind === 'experiment') return <SharedReport shared={found.shared} />
  const here = (await headers()).get('x-tilth-address') ?? `/share/${token}`
  return <SharedCards shared={found.shared} here={here} />
}

function SharedCards({ shared, here }: { shared: SharedBoard; here: string }) {
  const {
    name,
    description,
    cards,
    look: overrides,
    mayChangePeriod,
    ask,
    settings: chartSettings,
    notes,
  } = shared
  return (
    <main className="mx-auto flex w-full max-w-page flex-col gap-5 px-4 py-5 sm:px-6">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <h1 className="text-2xl font-semibold text-balance wrap-anywhere">{name}</h1>
          {description && <p className="mt-1 max-w-xl text-pretty text-muted">{description}</p>}
        </div>
        {mayChangePeriod && <SharedPeriod period={overrides.period ?? ''} />}
      </header>
      <CardGrid>
        {sortByReadingOrder(cards).map((card) => (
          <CardCell key={card.id} place={card.place}>
            <DashboardCardView
              card={card}
              ask={ask}
              chartSettings={chartSettings}
              notes={notes}
              retryHref={here}
              overridesKey={JSON.stringify(overrides)}
            />
          </CardCell>
        ))}
      </CardGrid>
      <p className="text-center text-xs text-faint">
        Time zone: {chartSettings.timeZone.replaceAll('_', ' ')} · Tilth
      </p>
    </main>
  )
}
