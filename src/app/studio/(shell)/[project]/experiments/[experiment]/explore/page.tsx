export { generateMetadata, ExplorePage as default } from '#studio/experiments/explore/ExplorePage'
