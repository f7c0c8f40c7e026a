import {
  type Application,
  DeclarationReflection,
  DocumentReflection,
  type IndexEvent,
  ReflectionKind,
  Renderer,
} from "typedoc";

/** Weight of a guide relative to an export with the same words. */
const GUIDE_BOOST = 400;

/** Whether a result is re-exported or inherited: search finds it only where it is declared. */
const isCopy = (result: DeclarationReflection | DocumentReflection): boolean =>
  result.kindOf(ReflectionKind.Reference) ||
  (result instanceof DeclarationReflection && result.inheritedFrom !== undefined);

/** Makes search find each export once, and the guides first. */
export const rankGuidesFirst = (app: Application): void => {
  app.renderer.on(Renderer.EVENT_PREPARE_INDEX, (event: IndexEvent) => {
    for (let index = event.searchResults.length - 1; index >= 0; index -= 1) {
      const result = event.searchResults[index];
      if (!result) continue;
      if (isCopy(result)) event.removeResult(index);
      else if (result instanceof DocumentReflection) result.relevanceBoost = GUIDE_BOOST;
    }
  });
};
