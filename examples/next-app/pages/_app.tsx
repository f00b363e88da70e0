import { TilthProvider } from '@tilth/react'
import type { AppProps } from 'next/app'

export default function App({ Component, pageProps }: AppProps) {
  return (
    <TilthProvider
      address={process.env.NEXT_PUBLIC_TILTH_ADDRESS ?? ''}
      project={process.env.NEXT_PUBLIC_TILTH_PROJECT ?? ''}
      {...pageProps.tilth}
    >
      <Component {...pageProps} />
    </TilthProvider>
  )
}
