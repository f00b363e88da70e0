import { TilthProvider } from '@tilth/react'
import type { ReactNode } from 'react'
import { pricingFlags } from '../../../tilth'

export const dynamicParams = false
export const generateStaticParams = () => pricingFlags.codes().map((values) => ({ values }))

interface Props {
  params: Promise<{ values: string }>
  children: ReactNode
}

export default async function PricingLayout({ params, children }: Props) {
  const { values } = await params
  return (
    <TilthProvider
      address={process.env.NEXT_PUBLIC_TILTH_ADDRESS ?? ''}
      project={process.env.NEXT_PUBLIC_TILTH_PROJECT ?? ''}
      bootstrap={pricingFlags.bootstrap(values)}
    >
      {children}
    </TilthProvider>
  )
}
