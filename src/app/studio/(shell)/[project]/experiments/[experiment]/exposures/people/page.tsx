export {
  generateMetadata,
  ExposedPeoplePage as default,
} from '#studio/experiments/exposures/ExposedPeoplePage'
