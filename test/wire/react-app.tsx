import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import {
  Experiment,
  TilthProvider,
  type TilthProviderProps,
  useFlag,
  useIdentify,
  useTrack,
} from '../../packages/react/src/index'

/** An app as Vite would bundle it; the page that loads it says with which options. */
declare global {
  interface Window {
    options: TilthProviderProps
    /** The headline of each rendering, in order. */
    headlines: string[]
  }
}

window.headlines = []

function App() {
  const isNew = useFlag('new-checkout')
  const headline = useFlag('headline', 'none')
  window.headlines.push(String(headline))
  const track = useTrack()
  const identify = useIdentify()
  return (
    <>
      <h1>{headline}</h1>
      <p id="checkout">{isNew ? 'new' : 'old'}</p>
      <button
        id="buy"
        onClick={() => track('purchase', { props: { items: 3 }, revenue: { amount: 9.5, currency: 'EUR' } })}
      >
        Buy
      </button>
      <button id="sign-in" onClick={() => identify('user-42', { plan: 'pro' })}>
        Sign in
      </button>
      <div style={{ height: 3000 }} />
      <Experiment
        flag="offer"
        variants={{ control: <p id="offer">plain</p>, bold: <p id="offer">bold</p> }}
      />
    </>
  )
}

createRoot(document.getElementById('root') ?? document.body).render(
  <StrictMode>
    <TilthProvider {...window.options}>
      <App />
    </TilthProvider>
  </StrictMode>,
)
