export { generateMetadata, FlagPeoplePage as default } from '#studio/flags/matches/FlagPeoplePage'
