import { getProduct } from '#studio/product'
import { AskAction } from './AskAction'

export default function Instance() {
  return (
    <main>
      <p data-seen-by="page">{getProduct().instance}</p>
      <AskAction />
    </main>
  )
}
