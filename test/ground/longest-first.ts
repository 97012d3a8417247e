// The order of test files: those that take longest begin, so that none of them is alone at the end while the other workers
// have nothing to do. First those with programs and phones, which mostly wait; the many small ones fill up what is left.

import { BaseSequencer, type TestSpecification } from "vitest/node";
import { LONG } from "./long-files.ts";

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    const places = new Map(LONG.map((file, place) => [file, place]));
    const rank = ({ moduleId, project }: TestSpecification) => {
      const file = moduleId.slice(project.config.root.length + 1);
      return places.get(file) ?? LONG.length;
    };
    const isWhole = ({ project }: TestSpecification) => project.name === "whole";
    // Files of one project stand together: only then is a worker kept for the next of them.
    return bySize.toSorted((one, other) => Number(isWhole(other)) - Number(isWhole(one)) || rank(one) - rank(other));
  }
}
