import { BrokenIsland } from './BrokenIsland'

export default function Page() {
  return <BrokenIsland />
}
